/* How the work of a sort is shared out among the PEs: no PE may put more records in order than 10 % above the
 * mean, whatever the distribution. The load of the machine must not matter, so the PEs work in step: one that
 * has done more than another goes on only when the other has caught up, or waits at a barrier. So each has
 * the share that processors of equal speed would give it. */

#include <math.h>
#include <sched.h>
#include <stdlib.h>

#include "engine/atomic.h"
#include "exchange/sort/sort.h"
#include "harness.h"

enum { RECORDS = 400009, MOST = 8, LINE = UNO_SORT_ALIGN };

/* The memory that the PEs share. */
static struct {
    char *from, *to;
    char *work;
    struct {
        _Alignas(LINE) uno_atomic64 bytes; /* bytes that this PE has put in order */
        uno_atomic32 waits;                /* it waits at a barrier */
    } pe[MOST];
} shared;

static void meet(void) {
    uno_store32_relaxed(&shared.pe[p_iproc()].waits, 1);
    p_wait();
    uno_store32_relaxed(&shared.pe[p_iproc()].waits, 0);
    p_wait(); /* nobody goes on while another still seems to wait */
}

static void in_step(void *unused, uint64_t bytes) {
    (void)unused;
    uint64_t mine = uno_load64_relaxed(&shared.pe[p_iproc()].bytes) + bytes;
    uno_store64_relaxed(&shared.pe[p_iproc()].bytes, mine);
    for (int k = 0; k < p_nproc(); k++)
        while (!uno_load32_relaxed(&shared.pe[k].waits) && uno_load64_relaxed(&shared.pe[k].bytes) < mine)
            sched_yield();
}

/* ---- keys -------------------------------------------------------------------------------------------- */

static uint64_t uniform(struct rng *r, uint64_t i) {
    (void)i;
    return rng_next(r);
}

static uint64_t ascending(struct rng *r, uint64_t i) {
    (void)r;
    return i / 3 * 0x123456789abU;
}

static uint64_t descending(struct rng *r, uint64_t i) {
    (void)r;
    return (RECORDS - i) * 0x123456789abU;
}

static uint64_t equal(struct rng *r, uint64_t i) {
    (void)r;
    (void)i;
    return 77;
}

/* Return one of a million values, the k-th with a frequency of 1/k; in their order, or spread over the whole
 * range. */
static uint64_t ranks(struct rng *r, uint64_t i) {
    (void)i;
    return (uint64_t)exp((double)(rng_next(r) >> 11) * 0x1p-53 * log(1e6));
}

static uint64_t zipf(struct rng *r, uint64_t i) {
    return ranks(r, i) * 0x9e3779b97f4a7c15U;
}

static uint64_t few(struct rng *r, uint64_t i) {
    (void)i;
    return (uint64_t)rng_below(r, 7) * 0x123456789abcdefU;
}

/* As the function before, except for one record, whose key no sample has. */
static uint64_t stray(struct rng *r, uint64_t i) {
    uint64_t key = few(r, i);
    return i == RECORDS / 7 ? key + 1 : key;
}

/* Most records lie in a hundredth of the range, most of those with one key. */
static uint64_t crowded(struct rng *r, uint64_t i) {
    (void)i;
    uint64_t key = rng_next(r);
    return key % 10 == 0 ? key : key % 10 < 4 ? key / 100 : UINT64_MAX / 200;
}

static const struct distribution {
    const char *name;
    uint64_t (*key)(struct rng *r, uint64_t i);
} distributions[] = {{"uniform", uniform}, {"sorted", ascending}, {"reversed", descending},
                     {"equal", equal},     {"ranks", ranks},      {"zipf", zipf},
                     {"few", few},         {"stray", stray},      {"crowded", crowded}};

/* ---- all --------------------------------------------------------------------------------------------- */

static void fill(const struct distribution *distribution, size_t record) {
    struct rng r = rng_for(1, 0, 0, 0);
    for (uint64_t i = 0; i < RECORDS; i++) {
        uint64_t words[2] = {distribution->key(&r, i), i};
        memcpy(shared.from + i * record, words, record);
    }
}

/* Check the order, and that records with equal keys keep theirs. */
static void check(const struct distribution *distribution, size_t record, const char *sorted) {
    uint64_t before[2] = {0, 0}, now[2] = {0, 0};
    for (uint64_t i = 0; i < RECORDS; i++) {
        memcpy(now, sorted + i * record, record);
        if (now[0] < before[0] || (now[0] == before[0] && now[1] < before[1]))
            test_fail("%s, records of %zu bytes: the %lluth is out of order", distribution->name, record,
                      (unsigned long long)i);
        memcpy(before, now, sizeof now);
    }
}

static void check_shares(const struct distribution *distribution, size_t record) {
    uint64_t all = 0, most = 0;
    for (int k = 0; k < p_nproc(); k++) {
        uint64_t bytes = uno_load64_relaxed(&shared.pe[k].bytes);
        all += bytes;
        most = bytes > most ? bytes : most;
        uno_store64_relaxed(&shared.pe[k].bytes, 0);
    }
    CHECK_INT(RECORDS * record, all);
    double above = (double)most * p_nproc() / (double)all - 1;
    if (above > 0.1)
        test_fail("%s, records of %zu bytes: the busiest of %d PEs has %.0f %% more than the mean",
                  distribution->name, record, p_nproc(), 100 * above);
}

static struct uno_sort prepare(size_t record, int pes) {
    struct uno_sort_key key;
    CHECK(uno_sort_key(&key, "u64", 0));
    return uno_sort_prepare(RECORDS, record, &key, pes);
}

static void sort_by_all(const struct distribution *distribution, size_t record, void *own) {
    struct uno_sort_crew crew = {.pes = p_nproc(), .me = p_iproc(), .wait = meet};
    struct uno_sort_times times;
    struct uno_sort sort = prepare(record, crew.pes);
    sort.from = shared.from;
    sort.to = shared.to;
    sort.work = shared.work;
    sort.progress = in_step;
    if (crew.me == 0)
        fill(distribution, record);
    p_wait();
    const char *sorted = uno_sort(&sort, &crew, own, &times);
    meet();
    if (crew.me == 0) {
        check(distribution, record, sorted);
        check_shares(distribution, record);
    }
    p_wait();
}

static void *room(size_t bytes) {
    void *p = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    CHECK(p);
    return memset(p, 0, bytes);
}

static int body(void *unused) {
    (void)unused;
    void *own = room(prepare(8, 1).own_bytes);
    for (size_t d = 0; d < sizeof distributions / sizeof *distributions; d++)
        for (size_t record = 8; record <= 16; record *= 2)
            sort_by_all(&distributions[d], record, own);
    free(own);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    shared.from = room(RECORDS * 16);
    shared.to = room(RECORDS * 16);
    shared.work = room(prepare(8, MOST).work_bytes);
    int result = test_run(argc, argv, body);
    free(shared.from);
    free(shared.to);
    free(shared.work);
    return result;
}
