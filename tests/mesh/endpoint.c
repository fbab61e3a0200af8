/* The endpoints of tiles, without anything above them: packets of all lengths up to a few of the network's,
 * from two tiles to a third at the same time, each of which must come whole, with its own bytes and no more,
 * and in order; short messages round the end of the inbox; sends with a context, each of which must be over
 * once; and an interrupt of a PE that waits. */

#include <papers.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <vertex.h>

#include "engine/far/far.h"
#include "engine/interrupt.h"
#include "engine/kernel.h"
#include "unit/mesh/commands.h"
#include "unit/mesh/net.h"

enum { LONGEST = 400, READER = 2 };
/* Messages of two words and a header: as many as go twice round the inbox, and so once across its end. */
enum { SHORTS = 2 * UNO_INBOX_WORDS / 3 + 2 };

/* End the job if something is not as it should be. */
static void check(const char *what, long expected, long received) {
    char text[100];
    if (expected == received)
        return;
    snprintf(text, sizeof text, "%s: expected %ld, received %ld", what, expected, received);
    p_error(text);
}

static unsigned char byte_of(int from, int length, int i) {
    return (unsigned char)(from * 101 + length * 7 + i);
}

/* Return the name of a tile, by which the endpoint sends to it. */
static uint64_t name_of(struct uno_net *net, int tile) {
    uint32_t address = (uint32_t)tile;
    uint64_t peer = 0;
    check("a name", 0, uno_net_mesh.name_peer(net, (const char *)&address, sizeof address, &peer));
    return peer;
}

static void send_all(struct uno_net *net, int me) {
    char data[LONGEST];
    uint64_t reader = name_of(net, READER);
    struct uno_net_event event;
    bool over[LONGEST + 1] = {false};
    for (int length = 1; length <= LONGEST; length++) {
        for (int i = 0; i < length; i++)
            data[i] = (char)byte_of(me, length, i);
        /* in three parts, of which the middle one is empty for one byte */
        struct iovec parts[] = {
            {data, (size_t)(length + 1) / 2}, {data, 0}, {data + (length + 1) / 2, (size_t)length / 2}};
        check("send", 0, uno_net_mesh.send(net, reader, parts, 3, length % 2 ? &over[length] : NULL));
    }
    while (uno_net_mesh.poll(net, &event)) {
        check("an event of a sender", UNO_NET_DONE, event.what);
        check("a send that was over already", false, *(bool *)event.context);
        *(bool *)event.context = true;
    }
    for (int length = 1; length <= LONGEST; length++)
        check("a send that is over", length % 2, over[length]);
}

/* Take out the next packet, and wait for it. */
static void receive_one(struct uno_net *net) {
    struct uno_net_event event;
    while (!uno_net_mesh.poll(net, &event))
        uno_mesh_wait(net);
    check("an event", UNO_NET_ARRIVED, event.what);
    uno_net_mesh.release(net, event.packet);
}

static void send_one(struct uno_net *net, int to) {
    check("send", 0, uno_net_mesh.send(net, name_of(net, to), &(struct iovec){"go", 2}, 1, NULL));
}

/* Wait in vain, since there is an interrupt to be handled: twice, which is one command. The only packet comes
 * while this PE does something else. The next wait must find it. */
static void wait_in_vain(struct uno_net *net) {
    uno_or32_seq_cst(&uno_self->board->parked, UNO_INTERRUPTED);
    check("a wait in vain", false, uno_mesh_wait(net));
    uint64_t commands = uno_mesh_tile(net)->commands;
    check("a wait in vain", false, uno_mesh_wait(net));
    check("the commands", (long)commands, (long)uno_mesh_tile(net)->commands);
    check("news", false, uno_mesh_has_news(net));
    uno_and32_seq_cst(&uno_self->board->parked, ~UNO_INTERRUPTED);
    while (!uno_at_tile_answered(uno_mesh_tile(net)))
        uno_kernel_pause(1000000);
    check("a wait for what has come", false, uno_mesh_wait(net));
    check("news", true, uno_mesh_has_news(net));
    receive_one(net);
}

static void receive_all(struct uno_net *net) {
    int next[READER] = {1, 1};
    struct uno_net_event event;
    for (int left = READER * LONGEST; left;) {
        if (!uno_net_mesh.poll(net, &event)) {
            uno_mesh_wait(net);
            continue;
        }
        check("an event of the reader", UNO_NET_ARRIVED, event.what);
        check("the place of a packet", 0, (long)((uintptr_t)event.data % 8));
        const unsigned char *data = (const unsigned char *)event.data;
        int from = data[0] == byte_of(0, (int)event.bytes, 0) ? 0 : 1, length = next[from]++;
        check("the bytes of a packet", length, (long)event.bytes);
        for (int i = 0; i < length; i++)
            check("a byte", byte_of(from, length, i), data[i]);
        uno_net_mesh.release(net, event.packet);
        left--;
    }
}

static void send_shorts(struct uno_net *net) {
    uint64_t reader = name_of(net, READER);
    for (uint64_t i = 0; i < SHORTS; i++)
        check("send", 0, uno_net_mesh.send(net, reader, &(struct iovec){&i, sizeof i}, 1, NULL));
}

static void receive_shorts(struct uno_net *net) {
    struct uno_net_event event;
    for (uint64_t i = 0, came; i < SHORTS; i++) {
        while (!uno_net_mesh.poll(net, &event))
            uno_mesh_wait(net);
        check("the bytes of a short message", sizeof came, (long)event.bytes);
        memcpy(&came, event.data, sizeof came);
        check("a short message", (long)i, (long)came);
        uno_net_mesh.release(net, event.packet);
    }
}

/* The reader waits at its port for a message of PE 1, which is away and sends it when the reader has stopped
 * for an interrupt. Until then the tiles are never still. */
static void stop_at_port(int me) {
    const uno_atomic64 *acknowledged = &uno_self->job->board[READER].acknowledged;
    int word = 0, from = 1, type = 0;
    p_wait();
    if (me == 0)
        p_interrupt();
    for (int ms = 0; me == 1 && !uno_load64_relaxed(acknowledged); ms++) {
        check("a PE that stops at its port", true, ms < 10000);
        uno_kernel_pause(1000000);
    }
    if (me == 1)
        nwrite(&word, sizeof word, READER, type);
    else if (me == READER)
        nread(&word, sizeof word, &from, &type);
    p_wait();
}

int main(void) {
    p_init();
    struct uno_net *net = uno_self->far->net;
    check("the number of PEs", READER + 1, p_nproc());
    if (p_iproc() == READER) {
        wait_in_vain(net);
        send_one(net, 0);
        send_one(net, 1);
        receive_all(net);
        send_one(net, 0);
        receive_shorts(net);
        send_one(net, 1); /* which until then begins no operation */
    } else {
        uno_kernel_pause(30000000); /* so that the reader waits first */
        if (p_iproc() == 0)
            send_one(net, READER);
        receive_one(net);
        send_all(net, p_iproc());
        receive_one(net);
        if (p_iproc() == 0)
            send_shorts(net);
    }
    stop_at_port(p_iproc());
    p_exit(0);
    return 0;
}
