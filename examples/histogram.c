/* A histogram of a given number of values in a given number of buckets. Every PE counts its part of the
 * values. The counts are added up in two ways: those of many buckets by p_allToAllv, which sends each to the
 * PE that owns the bucket; a few counts, and results from them, by aggregate functions. The result is
 * compared with a count of all values by one PE. */

#include <exchange.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARS = 12, WIDTH = 60, VALUE_BITS = 18, MOST_PES = 1024 };

/* The numbers of values and buckets, and the range of this PE's buckets. */
struct histogram {
    uint64_t values, buckets, first, end;
};

/* Return where the part of PE k begins, of `count` items. */
static uint64_t part(uint64_t count, int k) {
    return count / (uint64_t)p_nproc() * (uint64_t)k +
           count % (uint64_t)p_nproc() * (uint64_t)k / (uint64_t)p_nproc();
}

/* Return the i-th value, below 2^VALUE_BITS: a sum of four evenly spread numbers, by splitmix64. */
static uint64_t value(uint64_t i) {
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return (z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) + (z >> 48);
}

static uint64_t *counts(uint64_t buckets) {
    uint64_t *c = calloc(buckets + 1, sizeof *c); /* a PE may have none */
    if (!c)
        p_error("histogram: out of memory; fewer buckets take less");
    return c;
}

static uint64_t *count(uint64_t from, uint64_t to, uint64_t buckets) {
    uint64_t *c = counts(buckets);
    for (uint64_t i = from; i < to; i++)
        c[value(i) * buckets >> VALUE_BITS]++;
    return c;
}

/* Return all PEs' counts of this PE's buckets, from this PE's counts of all buckets. */
static uint64_t *join(const struct histogram *h, const uint64_t *mine) {
    static size_t to_bytes[MOST_PES], to_at[MOST_PES], from_bytes[MOST_PES], from_at[MOST_PES];
    uint64_t size = h->end - h->first, n = (uint64_t)p_nproc();
    uint64_t *received = counts(n * size), *joined = counts(size);
    for (int k = 0; k < p_nproc(); k++) {
        from_at[k] = part(h->buckets, k) * sizeof *mine;
        from_bytes[k] = part(h->buckets, k + 1) * sizeof *mine - from_at[k];
        to_at[k] = (uint64_t)k * size * sizeof *mine;
        to_bytes[k] = size * sizeof *mine;
    }
    p_allToAllv(received, to_bytes, to_at, mine, from_bytes, from_at);
    for (uint64_t i = 0; i < n * size; i++)
        joined[i % size] += received[i];
    free(received);
    return joined;
}

/* Return the bucket of the median. The scan shows it to the one PE that has it, which tells the others. */
static uint64_t median(const struct histogram *h, const uint64_t *joined) {
    uint64_t sum = 0, bucket = h->first, middle = h->values / 2;
    for (uint64_t b = 0; b < h->end - h->first; b++)
        sum += joined[b];
    uint64_t after = p_scanAdd64u(sum), before = after - sum;
    if (middle < before || middle >= after)
        return p_bcastGet64u();
    while ((before += joined[bucket - h->first]) <= middle)
        bucket++;
    p_bcastPut64u(bucket);
    return bucket;
}

/* Show the values in a few bars. Return 1 if their number agrees with the serial count. */
static int show(const struct histogram *h, const uint64_t *mine, const uint64_t *serial) {
    uint64_t bar[BARS], longest = 1, right = 1;
    for (uint64_t k = 0; k < BARS; k++) {
        uint64_t ours = 0, all = 0;
        for (uint64_t b = h->buckets * k / BARS; b < h->buckets * (k + 1) / BARS; b++) {
            ours += mine[b];
            all += serial[b];
        }
        bar[k] = p_reduceAdd64u(ours);
        longest = bar[k] > longest ? bar[k] : longest;
        right &= bar[k] == all;
    }
    for (int k = 0; k < BARS && p_iproc() == 0; k++)
        printf("%10llu  %.*s\n", (unsigned long long)bar[k], (int)(bar[k] * WIDTH / longest),
               "############################################################");
    return (int)right;
}

/* Return 1 if the median, and all counts of this PE's buckets, agree with the serial count. */
static int compare(const struct histogram *h, const uint64_t *joined, const uint64_t *serial,
                   uint64_t found) {
    uint64_t bucket = 0;
    for (uint64_t before = serial[0]; before <= h->values / 2; before += serial[bucket])
        bucket++;
    return found == bucket && memcmp(joined, serial + h->first, (h->end - h->first) * sizeof *joined) == 0;
}

static uint64_t number(const char *text) {
    char *rest;
    long value = strtol(text, &rest, 10);
    if (*rest || value < 1 || value > 1L << 40)
        p_error("histogram: give the number of values and that of buckets, each from 1 to 2^40");
    return (uint64_t)value;
}

int main(int argc, char **argv) {
    p_init();
    struct histogram h = {.values = argc > 1 ? number(argv[1]) : 1000000,
                          .buckets = argc > 2 ? number(argv[2]) : 1000};
    int me = p_iproc();
    h.first = part(h.buckets, me);
    h.end = part(h.buckets, me + 1);

    uint64_t *mine = count(part(h.values, me), part(h.values, me + 1), h.buckets);
    uint64_t *joined = join(&h, mine), *serial = count(0, h.values, h.buckets), most = 0;
    for (uint64_t b = 0; b < h.end - h.first; b++)
        most = joined[b] > most ? joined[b] : most;
    most = p_reduceMax64u(most);
    uint64_t middle = median(&h, joined);
    int same = show(&h, mine, serial);
    same = p_all(compare(&h, joined, serial, middle) && same);
    if (me == 0)
        printf(
            "%llu values in %llu buckets, %llu in the fullest, the median in bucket %llu: %s to the serial "
            "count\n",
            (unsigned long long)h.values, (unsigned long long)h.buckets, (unsigned long long)most,
            (unsigned long long)middle, same ? "equal" : "NOT equal");
    free(mine), free(joined), free(serial);
    return p_exit(!same);
}
