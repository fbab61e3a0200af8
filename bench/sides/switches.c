/* No exchange: in place of an operation every PE gives its processor away once. The time of that is the least
 * that an operation with more PEs than processors can take, less one switch on each: script/bench-limits
 * shows it beside the measured times. Only the first of a batch is a barrier, so that all run at the same
 * time. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#include "start.h"
#include "side.h"

static _Atomic uint64_t *arrivals; /* at all barriers */

static void barrier(const struct bench_work *w) {
    static _Thread_local uint64_t barriers;
    uint64_t all = (uint64_t)w->n * ++barriers;
    atomic_fetch_add(arrivals, 1);
    while (atomic_load(arrivals) < all)
        sched_yield();
}

static void run_wait(const struct bench_work *w) {
    barrier(w);
    for (int i = 1; i < w->count; i++)
        sched_yield();
}

static bench_run *const table[BENCH_KINDS][BENCH_TYPE_COUNT] = {BENCH_ROW(wait, )};

static int start(int n, bool threads, int processors, int (*body)(int me, int n)) {
    (void)processors;
    arrivals = mmap(NULL, sizeof *arrivals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (arrivals == MAP_FAILED) {
        perror("bench worker: memory");
        return 1;
    }
    return bench_start(n, threads, body);
}

static void label(char text[BENCH_LABEL]) {
    snprintf(text, BENCH_LABEL, "switches alone");
}

const struct bench_side bench_side = {.start = start, .label = label, .run = table};
