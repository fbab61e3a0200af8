/* This library's own sort. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>

#include "side.h"
#include "exchange/sort/sort.h"

static struct work {
    struct uno_sort sort;
    int threads;
    char *own, *sorted;
} work;

bool side_can(enum kind kind) {
    (void)kind;
    return true;
}

static void *zeroed(size_t bytes) {
    void *p = aligned_alloc(2 << 20, (bytes + (2 << 20) - 1) / (2 << 20) * (2 << 20));
    if (!p)
        exit(EXIT_FAILURE);
    return memset(p, 0, bytes);
}

void side_begin(enum kind kind, void *from, uint64_t n, int threads) {
    (void)from;
    struct uno_sort_key key;
    uno_sort_key(&key, kind == KIND_U16 ? "u16" : "u64", 0);
    size_t record = kind == KIND_PAIR ? sizeof(struct pair) : sizeof(uint64_t);
    work = (struct work){.threads = threads, .sort = uno_sort_prepare(n, record, &key, threads)};
    work.sort.work = zeroed(work.sort.work_bytes);
    work.own = zeroed((size_t)threads * work.sort.own_bytes);
}

static int run(void *unused) {
    (void)unused;
    struct uno_sort_times times;
    struct uno_sort_crew crew = {.pes = work.threads, .me = p_iproc(), .wait = p_wait};
    char *sorted = uno_sort(&work.sort, &crew, work.own + (size_t)crew.me * work.sort.own_bytes, &times);
    if (crew.me == 0)
        work.sorted = sorted;
    for (int i = 0; i < UNO_SORT_PHASES && getenv("BENCH_SORT_PHASES"); i++)
        fprintf(stderr, "PE %d %s %.3f\n", crew.me, uno_sort_phase_names[i], (double)times.ns[i] / 1e9);
    return 0;
}

void *side_sort(enum kind kind, void *from, void *to, uint64_t n, int threads) {
    (void)kind;
    (void)n;
    work.sort.from = from;
    work.sort.to = to;
    p_team(threads, run, NULL);
    return work.sorted;
}

void side_end(enum kind kind, void *result, uint64_t n) {
    (void)kind;
    (void)result;
    (void)n;
    free(work.sort.work);
    free(work.own);
}
