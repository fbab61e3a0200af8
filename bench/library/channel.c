/* Messages of the engine's channel, without a library above it: "latency" of operation.c, with the same
 * arguments and the same checks, so that the two differ by what MPI adds. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/channel/channel.h"
#include "engine/kernel.h"
#include "vertex/ops.h"

static struct uno_channel *channel;
static size_t bytes;
static uint64_t number; /* of the last message */
static char *data;

static void send(int to) {
    memcpy(data, &number, sizeof number);
    memcpy(data + bytes - sizeof number, &number, sizeof number);
    uno_channel_send(channel, to, uno_channel_word(0, 0), data, bytes, UNO_SIGNATURE_NWRITE);
}

static void receive(int from) {
    struct uno_receive receive = {.envelope = {0, from, 0}, .data = data, .room = bytes};
    uno_channel_receive(channel, &receive, UNO_SIGNATURE_NREAD);
    if (receive.bytes != bytes || memcmp(data, &number, sizeof number) ||
        memcmp(data + bytes - sizeof number, &number, sizeof number))
        uno_fail(channel->pe, "message %llu is not the one that was sent", (unsigned long long)number);
}

/* There and back: two messages. */
static void latency(int me) {
    number++;
    if (me == 0)
        send(1);
    else
        receive(0);
    number++;
    if (me == 0)
        receive(1);
    else
        send(0);
}

int main(int argc, char **argv) {
    p_init();
    if (argc != 5 || strcmp(argv[1], "latency") != 0 || (bytes = strtoul(argv[2], NULL, 10)) < sizeof number)
        uno_fail(uno_self, "there are four arguments: latency, at least 8 bytes, repetitions, turns");
    long repetitions = strtol(argv[3], NULL, 10), turns = strtol(argv[4], NULL, 10);
    int me = p_iproc();
    channel = uno_channel_of(uno_self);
    data = uno_channel_memory(channel, calloc(1, bytes));
    double least = 1e9;
    for (long t = -1; t < turns; t++) { /* the first warms up */
        p_wait();
        uint64_t began = uno_kernel_now();
        for (long i = 0; i < repetitions; i++)
            latency(me);
        double each = (double)(uno_kernel_now() - began) * 1e-9 / (double)(2 * repetitions);
        least = t >= 0 && each < least ? each : least;
    }
    if (me == 0)
        printf("%.12f\n", least);
    free(data);
    return p_exit(0);
}
