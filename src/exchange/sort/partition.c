#include "partition.h"

#include "engine/kernel.h"

static void meet(const struct uno_sort_crew *crew) {
    if (crew->pes > 1)
        crew->wait();
}

/* Where this PE's part of n things begins, or that of the PE after it. */
static uint64_t part(const struct uno_sort_crew *crew, uint64_t n, int after) {
    return (uint64_t)((unsigned __int128)n * (unsigned)(crew->me + after) / (unsigned)crew->pes);
}

static int bits_of(uint64_t v) {
    return v ? 64 - __builtin_clzll(v) : 0;
}

/* ---- which bucket a key belongs to
 * --------------------------------------------------------------------------- */

/* The keys of some of this PE's records: at even distances, each within its part at a place that a linear
 * congruential generator picks, so that keys with a period do not deceive. */
static void take_sample(struct uno_sort_pe_state *pe, const char *from, uint64_t n, uint64_t size) {
    uint64_t begin = part(pe->crew, n, 0), end = part(pe->crew, n, 1);
    uint64_t k = part(pe->crew, size, 0), k_end = part(pe->crew, size, 1), seed = begin + 1;
    double step = (double)(end - begin) / (double)(k_end - k);
    for (uint64_t i = 0; k < k_end; i++, k++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        double at = ((double)i + (double)(seed >> 40) / (1 << 24)) * step;
        uint64_t r = begin + (uint64_t)at;
        r = r < end ? r : end - 1;
        pe->shared->sample[k] = begin < end
                                    ? uno_sort_read(&pe->key, pe->key.bytes, from + r * pe->kernel->record)
                                    : pe->deal->low;
    }
}

/* Buckets of like weight. A cell weighs as much as it has keys in the sample, and as much again as it would
 * have if all cells were alike: the first follows the keys, the second evens out the chance of the sample.
 * Called by each PE, with the same result. */
static void make_buckets(struct uno_sort_pe_state *pe, uint64_t size, uint32_t most) {
    struct uno_sort_deal *deal = pe->deal;
    uint64_t *weight = pe->scratch->weight;
    memset(weight, 0, deal->cells * sizeof *weight);
    for (uint64_t i = 0; i < size; i++)
        weight[uno_sort_cell(deal, pe->shared->sample[i])] += deal->cells;
    uint64_t full = 2 * size * deal->cells / most + 1, in_bucket = 0;
    uint32_t bucket = 0;
    for (uint32_t c = 0; c < deal->cells; c++) {
        uint64_t w = weight[c] + size;
        /* A cell that is heavy by itself is not put together with lighter ones before it. */
        if (in_bucket && (in_bucket >= full || in_bucket + w > full + full / 2) && bucket + 1 < most) {
            bucket++;
            in_bucket = 0;
        }
        deal->bucket[c] = (uint16_t)bucket;
        in_bucket += w;
    }
    deal->buckets = bucket + 1;
}

/* Buckets enough to fit half of a PE's own memory, and for every PE to find work until the end. */
static uint32_t buckets_wanted(const struct uno_sort_pe_state *pe, uint64_t n) {
    uint64_t bytes = n * pe->kernel->record, want = bytes / (UNO_SORT_LOCAL_BYTES / 2) + 1;
    uint64_t least = 32 * (uint64_t)pe->crew->pes;
    want = want < least ? least : want;
    return want < UNO_SORT_BUCKETS ? (uint32_t)want : UNO_SORT_BUCKETS;
}

/* False: all keys are equal. */
static bool choose(struct uno_sort_pe_state *pe, const char *from, uint64_t n) {
    uint64_t begin = part(pe->crew, n, 0), end = part(pe->crew, n, 1);
    struct uno_sort_range all = {UINT64_MAX, 0};
    if (begin < end)
        all = pe->kernel->range(&pe->key, from + begin * pe->kernel->record, end - begin);
    pe->told[pe->crew->me].range = all;
    meet(pe->crew);
    for (int k = 0; k < pe->crew->pes; k++) {
        const struct uno_sort_range *r = &pe->told[k].range;
        all.low = r->low < all.low ? r->low : all.low;
        all.high = r->high > all.high ? r->high : all.high;
    }
    if (all.low == all.high)
        return false;
    int width = bits_of(all.high - all.low), wanted = bits_of(n) - 2;
    wanted = wanted < 10 ? 10 : wanted > 16 ? 16 : wanted;
    pe->deal->low = all.low;
    pe->deal->shift = width > wanted ? (unsigned)(width - wanted) : 0;
    pe->deal->cells = (uint32_t)((all.high - all.low) >> pe->deal->shift) + 1;
    uint64_t size = n < UNO_SORT_CELLS ? n : UNO_SORT_CELLS;
    take_sample(pe, from, n, size);
    meet(pe->crew);
    make_buckets(pe, size, buckets_wanted(pe, n));
    return true;
}

/* ---- the level
 * ------------------------------------------------------------------------------------------------- */

/* Where the records of this PE go in each bucket: after those of the buckets before it, and of the PEs before
 * it. */
static void find_places(struct uno_sort_pe_state *pe, uint64_t *start) {
    uint64_t at = 0;
    for (uint32_t b = 0; b < pe->deal->buckets; b++) {
        start[b] = at;
        for (int k = 0; k < pe->crew->pes; k++) {
            if (k == pe->crew->me)
                pe->scratch->place[b] = at;
            at += pe->told[k].count[b];
        }
    }
    start[pe->deal->buckets] = at;
}

/* As much memory as no second-level cache has: below it, a line is better left in the cache. */
enum { STREAM_BYTES = 4 << 20 };

uint32_t uno_sort_partition(struct uno_sort_pe_state *pe, const char *from, char *to, uint64_t n,
                            uint64_t start[UNO_SORT_BUCKETS + 1]) {
    uint64_t *ns = pe->times->ns, t0 = uno_kernel_now();
    bool differ = choose(pe, from, n);
    uint64_t t1 = uno_kernel_now();
    ns[UNO_SORT_SAMPLE] += t1 - t0;
    if (!differ)
        return 0;
    size_t record = pe->kernel->record;
    uint64_t begin = part(pe->crew, n, 0), end = part(pe->crew, n, 1);
    uint64_t *count = pe->told[pe->crew->me].count;
    memset(count, 0, pe->deal->buckets * sizeof *count);
    pe->kernel->count(&pe->key, pe->deal, from + begin * record, end - begin, count);
    uint64_t t2 = uno_kernel_now();
    ns[UNO_SORT_COUNT] += t2 - t1;
    meet(pe->crew);
    uint64_t t3 = uno_kernel_now();
    find_places(pe, start);
    pe->kernel->scatter(&pe->key, pe->deal, from + begin * record, end - begin, to,
                        n * record >= STREAM_BYTES, pe->scratch);
    ns[UNO_SORT_SCATTER] += uno_kernel_now() - t3;
    meet(pe->crew);
    return pe->deal->buckets;
}
