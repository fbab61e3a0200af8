/* Sorts as lines on standard input ask, "KIND DISTRIBUTION RECORDS THREADS", by the side that it is linked
 * with. It answers each line with a JSON object: the seconds of the sort, or the error of the result. */

#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sides/side.h"
#include "../seconds.h"

static const char *const kinds[KINDS] = {"u64", "pair", "u16"};

/* Return the n-th number of the sequence splitmix64 (Steele, Lea and Flood), without those before it. */
static uint64_t random_at(uint64_t n) {
    uint64_t z = n * 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

/* ---- the keys ---------------------------------------------------------------------------------------- */

static uint64_t uniform(uint64_t i, uint64_t n, uint64_t seed) {
    (void)n;
    return random_at(seed + i);
}

static uint64_t ascending(uint64_t i, uint64_t n, uint64_t seed) {
    (void)seed;
    return (uint64_t)((double)i / (double)n * 0x1p64);
}

static uint64_t descending(uint64_t i, uint64_t n, uint64_t seed) {
    return ascending(n - 1 - i, n, seed);
}

static uint64_t equal(uint64_t i, uint64_t n, uint64_t seed) {
    (void)i;
    (void)n;
    return random_at(seed);
}

/* Return one of a million values, the k-th with a frequency of 1/k: the inverse of its distribution, a
 * logarithm. The values are spread over the whole range. */
static uint64_t zipf(uint64_t i, uint64_t n, uint64_t seed) {
    (void)n;
    double u = (double)(random_at(seed + i) >> 11) * 0x1p-53;
    return random_at((uint64_t)exp(u * log(1e6)));
}

static uint64_t few(uint64_t i, uint64_t n, uint64_t seed) {
    (void)n;
    return random_at(random_at(seed + i) % 32);
}

static const struct distribution {
    const char *name;
    uint64_t (*key)(uint64_t i, uint64_t n, uint64_t seed);
} distributions[] = {{"uniform", uniform}, {"sorted", ascending}, {"reversed", descending},
                     {"equal", equal},     {"zipf", zipf},        {"few", few}};

/* ---- the records ------------------------------------------------------------------------------------- */

static uint64_t sum; /* of all records of the input, in whatever order */

static void fill(enum kind kind, const struct distribution *distribution, void *at, uint64_t n,
                 uint64_t seed) {
    uint64_t *keys = at;
    struct pair *pairs = at;
    sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = distribution->key(i, n, seed);
        if (kind == KIND_PAIR) {
            pairs[i] = (struct pair){key, i};
            sum += random_at(key ^ random_at(i));
        } else {
            keys[i] = kind == KIND_U16 ? key >> 48 | i << 16 : key;
            sum += random_at(keys[i]);
        }
    }
}

/* Return NULL, or the words of the error. */
static const char *check(enum kind kind, const void *at, uint64_t n, bool *stable) {
    const uint64_t *keys = at;
    const struct pair *pairs = at;
    uint64_t found = 0, before = 0, payload_before = 0;
    *stable = true;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = kind == KIND_PAIR ? pairs[i].key : kind == KIND_U16 ? keys[i] & 0xffff : keys[i];
        uint64_t payload = kind == KIND_PAIR ? pairs[i].payload : kind == KIND_U16 ? keys[i] >> 16 : 0;
        if (i && key < before)
            return "not in order";
        if (i && key == before && payload < payload_before)
            *stable = false;
        found += kind == KIND_PAIR ? random_at(key ^ random_at(payload)) : random_at(keys[i]);
        before = key;
        payload_before = payload;
    }
    return found == sum ? NULL : "not the same records";
}

static void *take(uint64_t bytes) {
    enum { HUGE_PAGE = 2 << 20 };
    char *p = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    madvise(p, bytes + HUGE_PAGE, MADV_HUGEPAGE);
    p += -(uintptr_t)p % HUGE_PAGE;
    memset(p, 1, bytes);
    return p;
}

static void give(char *p, uint64_t bytes) {
    munmap(p, bytes);
}

static void measure(enum kind kind, const struct distribution *distribution, uint64_t n, int threads) {
    static uint64_t seed;
    uint64_t bytes = n * (kind == KIND_PAIR ? sizeof(struct pair) : sizeof(uint64_t));
    void *from = take(bytes), *to = take(bytes);
    bool stable;
    if (!from || !to) {
        printf("{\"error\": \"out of memory\"}\n");
        return;
    }
    fill(kind, distribution, from, n, random_at(++seed));
    side_begin(kind, from, n, threads);
    double t0 = seconds_now();
    void *result = side_sort(kind, from, to, n, threads);
    double seconds = seconds_now() - t0;
    side_end(kind, result, n);
    const char *wrong = check(kind, result, n, &stable);
    if (wrong)
        printf("{\"error\": \"%s\"}\n", wrong);
    else
        printf("{\"seconds\": %.6f, \"stable\": %s}\n", seconds, stable ? "true" : "false");
    give(from, bytes);
    give(to, bytes);
}

int main(void) {
    char kind_name[16], distribution_name[16];
    uint64_t n;
    int threads;
    while (scanf("%15s %15s %" SCNu64 " %d", kind_name, distribution_name, &n, &threads) == 4) {
        const struct distribution *distribution = NULL;
        enum kind kind = 0;
        while (kind < KINDS && strcmp(kinds[kind], kind_name) != 0)
            kind++;
        for (size_t d = 0; d < sizeof distributions / sizeof *distributions; d++)
            if (strcmp(distributions[d].name, distribution_name) == 0)
                distribution = &distributions[d];
        if (kind == KINDS || !distribution)
            printf("{\"error\": \"no such kind or distribution\"}\n");
        else if (!side_can(kind))
            printf("{}\n");
        else
            measure(kind, distribution, n, threads);
        fflush(stdout);
    }
    return 0;
}
