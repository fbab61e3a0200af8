/* No library: the floor of operation.c's operations on short data. Two processes, each on a processor of its
 * own, and cache lines that one of them writes and the other one reads: for a message there and back, and for
 * a barrier or an allreduce, the exchange of two lines; for many messages at a time a ring of lines one way.
 * The same arguments and the same checks as in operation.c, but for the bytes, which are 8. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/atomic.h"
#include "engine/kernel.h"
#include "engine/tuning.h"

enum { AT_ONCE = 64, LINES = 2 * AT_ONCE, EAGER = UNO_EAGER_LOOKS };

struct line {
    _Alignas(64) uno_atomic64 header; /* counts the messages in this line's ring, from 1 */
    uno_plain64 data;
};

/* The lines from one process to the other. An exchange uses two lines in turn: the process that is one ahead
 * must not write over a line that the other has not read. */
struct way {
    struct line line[LINES];
};

static struct way *out, *in;
static int me;
static uint64_t number; /* of the last message, or operation */
static uint64_t sent, received;

static void sure(int right) {
    if (!right) {
        fprintf(stderr, "process %d: operation %llu: wrong data\n", me, (unsigned long long)number);
        exit(1);
    }
}

static inline void put(unsigned lines, uint64_t data) {
    struct line *line = &out->line[++sent % lines];
    uno_write64_plain(&line->data, data);
    /* SYNC LINE: the data */
    uno_store64_release(&line->header, sent);
}

static inline uint64_t get(unsigned lines) {
    struct line *line = &in->line[++received % lines];
    /* SYNC LINE: the data */
    for (int looks = 0; uno_load64_acquire(&line->header) != received; looks++)
        if (looks >= EAGER) /* leave the core to the other one, if both are on the same */
            uno_pause();
    return uno_read64_plain(&line->data);
}

/* Send a message there and back. */
static void latency(void) {
    number++;
    if (me == 0)
        put(2, number);
    else
        sure(get(2) == number);
    number++;
    if (me == 0)
        sure(get(2) == number);
    else
        put(2, number);
}

/* Many to process 1, which answers once: so half of the ring is free whenever they begin. */
static void rate(void) {
    for (int i = 0; i < AT_ONCE; i++) {
        number++;
        if (me == 0)
            put(LINES, number);
        else
            sure(get(LINES) == number);
    }
    if (me == 0)
        sure(get(2) == number);
    else
        put(2, number);
}

static void barrier(void) {
    put(2, 0);
    get(2);
}

static void allreduce(void) {
    uint64_t mine = ++number * (uint64_t)(me + 1);
    put(2, mine);
    sure(mine + get(2) == number * 3);
}

static const struct {
    const char *name;
    void (*function)(void);
    int each; /* operations that one call is */
} operations[] = {
    {"latency", latency, 2}, {"rate", rate, AT_ONCE}, {"barrier", barrier, 1}, {"allreduce", allreduce, 1}};

/* The seconds of one operation, the least of all turns. */
static double measure(size_t which, long repetitions, long turns) {
    double least = 1e9;
    for (long t = -1; t < turns; t++) { /* the first warms up */
        uint64_t began = uno_kernel_now();
        for (long i = 0; i < repetitions; i++)
            operations[which].function();
        double each =
            (double)(uno_kernel_now() - began) * 1e-9 / (double)(repetitions * operations[which].each);
        least = t >= 0 && each < least ? each : least;
    }
    return least;
}

/* The processor of that number among those that the program may use. */
static void go_to(int number) {
    cpu_set_t all, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) || CPU_COUNT(&all) < 2) {
        fputs("the bare exchange takes two processors\n", stderr);
        exit(1);
    }
    int cpu = 0;
    for (; number >= 0; cpu++)
        number -= CPU_ISSET(cpu, &all) != 0;
    CPU_SET(cpu - 1, &one);
    sched_setaffinity(0, sizeof one, &one);
}

int main(int argc, char **argv) {
    size_t which = 0, count = sizeof operations / sizeof operations[0];
    while (argc == 5 && which < count && strcmp(operations[which].name, argv[1]) != 0)
        which++;
    if (argc != 5 || which == count || strtoul(argv[2], NULL, 10) != 8) {
        fputs("there are four arguments: the operation, 8 bytes, repetitions, turns\n", stderr);
        return 1;
    }
    struct way *way = mmap(NULL, 2 * sizeof *way, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (way == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    pid_t child = fork();
    me = child == 0;
    alarm(60); /* a process that waits for one that has ended waits for ever */
    go_to(me);
    out = &way[me];
    in = &way[!me];
    double least = measure(which, strtol(argv[3], NULL, 10), strtol(argv[4], NULL, 10));
    if (me)
        return 0;
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status)
        return 1;
    printf("%.12f\n", least);
    return 0;
}
