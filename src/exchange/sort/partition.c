#include "partition.h"

#include "engine/kernel.h"

/* ---- which bucket a key belongs to ------------------------------------------------------------------- */

/* The keys of some of this PE's records: at even distances, each within its part at a place that a linear
 * congruential generator picks, so that keys with a period do not deceive. */
static void take_sample(struct uno_sort_pe_state *pe, const char *from, uint64_t n, uint64_t size) {
    uint64_t begin = uno_sort_begin(pe->crew, n), end = uno_sort_end(pe->crew, n);
    uint64_t k = uno_sort_begin(pe->crew, size), k_end = uno_sort_end(pe->crew, size), seed = begin + 1;
    double step = (double)(end - begin) / (double)(k_end - k);
    for (uint64_t i = 0; k < k_end; i++, k++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        double at = ((double)i + (double)(seed >> 40) / (1 << 24)) * step;
        uint64_t r = begin + (uint64_t)at;
        r = r < end ? r : end - 1;
        pe->shared->sample[k] =
            begin < end ? uno_sort_read(&pe->key, from + r * pe->kernel->record) : pe->deal->low;
    }
}

/* Cut the range of the keys into 2^bits cells at most, and find how many keys of the sample are in each. The
 * greatest of those numbers. */
static uint64_t cut(struct uno_sort_pe_state *pe, struct uno_sort_range all, int bits, uint64_t size) {
    struct uno_sort_deal *deal = pe->deal;
    uint64_t *weight = pe->scratch->weight, most = 0;
    int width = (int)uno_sort_bits(all.high - all.low);
    deal->low = all.low;
    deal->shift = width > bits ? (unsigned)(width - bits) : 0;
    deal->cells = (uint32_t)((all.high - all.low) >> deal->shift) + 1;
    memset(weight, 0, deal->cells * sizeof *weight);
    for (uint64_t i = 0; i < size; i++) {
        uint64_t *w = &weight[uno_sort_cell(deal, pe->shared->sample[i])];
        most = ++*w > most ? *w : most;
    }
    return most;
}

/* A key is met often if so many of the sample have it: at most an eighth of UNO_SORT_BUCKETS keys are, and by
 * chance none is. */
static uint64_t often_from(uint64_t size) {
    enum { LEAST = 16 };
    uint64_t share = 8 * size / UNO_SORT_BUCKETS;
    return share < LEAST ? LEAST : share;
}

/* Find the keys that are met often, one for each cell: scratch->often[c].found is 0, or how many have it.
 * Only one that most of a cell's sample have is found (Boyer and Moore's vote); others are found when the
 * cell's bucket is dealt out again. How many there are. */
static uint32_t find_often(struct uno_sort_pe_state *pe, uint64_t size) {
    const struct uno_sort_deal *deal = pe->deal;
    struct uno_sort_often *often = pe->scratch->often;
    uint32_t many = 0;
    memset(often, 0, deal->cells * sizeof *often);
    for (uint64_t i = 0; i < size; i++) {
        uint64_t above = pe->shared->sample[i] - deal->low;
        struct uno_sort_often *o = &often[above >> deal->shift];
        if (!o->votes)
            o->key = above;
        o->votes += o->key == above ? 1 : UINT32_MAX;
    }
    for (uint64_t i = 0; i < size; i++) {
        uint64_t above = pe->shared->sample[i] - deal->low;
        struct uno_sort_often *o = &often[above >> deal->shift];
        o->found += o->key == above;
    }
    for (uint32_t c = 0; c < deal->cells; c++) {
        often[c].found = often[c].found < often_from(size) ? 0 : often[c].found;
        many += often[c].found != 0;
    }
    return many;
}

static void open_bucket(struct uno_sort_deal *deal, uint32_t b) {
    deal->one_key[b] = false;
    deal->key[b] = UINT64_MAX;
}

/* Put the cells together to buckets of like weight, `most` beside those of keys that are met often. A cell
 * weighs as much as it has keys in the sample, and as much again as it would have if all cells were alike:
 * the first follows the keys, the second evens out the chance of the sample. A cell that is heavy by itself
 * is not put together with lighter ones before it. */
static void put_together(struct uno_sort_pe_state *pe, uint64_t size, uint32_t most) {
    struct uno_sort_deal *deal = pe->deal;
    const uint64_t *weight = pe->scratch->weight;
    const struct uno_sort_often *often = pe->scratch->often;
    uint32_t many = find_often(pe, size), bucket = 0, room = UNO_SORT_BUCKETS - 1 - 2 * many;
    uint64_t full = 2 * size * deal->cells / most + 1, in_bucket = 0, seldom = 0;
    room = most < room ? most : room; /* times that a bucket is closed because it is full, and 1 */
    open_bucket(deal, 0);
    for (uint32_t c = 0; c < deal->cells; c++) {
        uint64_t w = (weight[c] - often[c].found) * deal->cells + size;
        seldom += weight[c] - often[c].found;
        if (in_bucket && (in_bucket >= full || in_bucket + w > full + full / 2) && room > 1) {
            open_bucket(deal, ++bucket);
            room--;
            in_bucket = 0;
        }
        deal->bucket[c] = (uint16_t)bucket;
        in_bucket += w;
        if (!often[c].found)
            continue;
        deal->key[bucket] = deal->key[bucket + 1] = often[c].key;
        deal->one_key[bucket + 1] = true;
        open_bucket(deal, bucket += 2);
        in_bucket = w;
    }
    /* UINT64_MAX, if it is a key at all, cuts the last bucket, and has one behind it. */
    deal->way = many ? UNO_SORT_CUTS : UNO_SORT_TABLE;
    deal->all_often = !seldom;
    deal->buckets = bucket + 1 + (many ? 1 : 0);
    if (many)
        open_bucket(deal, deal->buckets - 1);
}

/* Bits of a range of which every key is a bucket. */
enum { ONE_DIGIT = 11 };

_Static_assert(1 << ONE_DIGIT <= UNO_SORT_BUCKETS, "each key has its bucket");

/* A cell is a bucket. */
static void make_direct(struct uno_sort_deal *deal) {
    deal->way = UNO_SORT_DIRECT;
    deal->buckets = deal->cells;
    for (uint32_t b = 0; b < deal->buckets; b++) {
        deal->one_key[b] = !deal->shift;
        deal->key[b] = b;
    }
}

/* Each PE makes the same buckets of the same sample. If the keys are spread evenly, or few, a cell is a
 * bucket, which spares looking up a table for each; else the cells are finer. */
static void make_buckets(struct uno_sort_pe_state *pe, struct uno_sort_range all, uint64_t n, uint64_t size) {
    uint32_t wanted = uno_sort_wanted(n, pe->kernel->record, pe->crew->pes);
    int bits = (int)uno_sort_bits(wanted - 1), width = (int)uno_sort_bits(all.high - all.low);
    if (width <= ONE_DIGIT)
        bits = width;
    else if (width <= 2 * UNO_SORT_NARROW && bits > (width + 1) / 2)
        bits = (width + 1) / 2;
    uint64_t most = cut(pe, all, bits, size), even = size / pe->deal->cells;
    if (width <= ONE_DIGIT || most <= 2 * even + 8) {
        make_direct(pe->deal);
        return;
    }
    bits = (int)uno_sort_bits(n) - 2;
    cut(pe, all, bits < 10 ? 10 : bits > 16 ? 16 : bits, size);
    put_together(pe, size, wanted);
}

static struct uno_sort_range widest(struct uno_sort_range a, struct uno_sort_range b) {
    return (struct uno_sort_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static const struct uno_sort_range empty = {UINT64_MAX, 0};

/* The least and the greatest key of all. */
static struct uno_sort_range range_of_all(struct uno_sort_pe_state *pe, const char *from, uint64_t n) {
    uint64_t begin = uno_sort_begin(pe->crew, n), end = uno_sort_end(pe->crew, n);
    struct uno_sort_range all = empty;
    if (begin < end)
        all = pe->kernel->range(&pe->key, from + begin * pe->kernel->record, end - begin);
    pe->told[pe->crew->me].range = all;
    uno_sort_meet(pe->crew);
    for (int k = 0; k < pe->crew->pes; k++)
        all = widest(all, pe->told[k].range);
    return all;
}

/* Decide which keys belong to which bucket. False: all keys are equal. */
static bool choose(struct uno_sort_pe_state *pe, const char *from, uint64_t n) {
    uint64_t size = uno_sort_sampled(n);
    take_sample(pe, from, n, size);
    uno_sort_meet(pe->crew);
    struct uno_sort_range all = empty, domain = {0, UINT64_MAX >> (64 - 8 * pe->key.bytes)};
    for (uint64_t i = 0; i < size; i++)
        all = widest(all, (struct uno_sort_range){pe->shared->sample[i], pe->shared->sample[i]});
    /* A sample that spans most of what the type can be tells the range without a look at all keys. */
    if (all.low <= domain.high / 8 && all.high >= domain.high - domain.high / 8)
        all = domain;
    else
        all = range_of_all(pe, from, n);
    if (all.low == all.high)
        return false;
    make_buckets(pe, all, n, size);
    return true;
}

/* ---- the level --------------------------------------------------------------------------------------- */

/* Where the records of this PE go in each bucket: after those of the buckets before it, and of the PEs before
 * it. */
static void find_places(struct uno_sort_pe_state *pe, uint64_t *start) {
    const uint32_t buckets = pe->deal->buckets;
    uint64_t at = 0;
    for (uint32_t b = 0; b < buckets; b++) {
        start[b] = at;
        for (int k = 0; k < pe->crew->pes; k++) {
            if (k == pe->crew->me)
                pe->scratch->place[b] = at;
            at += pe->told[k].count[b];
        }
    }
    start[buckets] = at;
}

/* Records that are nothing but their key need not be moved where a bucket has one key: it is written so many
 * times. Whether that was all that this PE had to do. */
static bool write_keys(struct uno_sort_pe_state *pe, char *to) {
    const struct uno_sort_deal *deal = pe->deal;
    const uint64_t *count = pe->told[pe->crew->me].count;
    size_t record = pe->kernel->record;
    bool all = record == pe->key.bytes;
    for (uint32_t b = 0; b < deal->buckets && all; b++)
        all = deal->one_key[b] || !count[b];
    for (uint32_t b = 0; b < deal->buckets && all; b++)
        pe->kernel->fill(&pe->key, deal->low + deal->key[b], to + pe->scratch->place[b] * record, count[b]);
    return all;
}

/* The bits of the second digit, if keys are two, or 0. */
static unsigned second_digit(const struct uno_sort_pe_state *pe, uint64_t n) {
    const struct uno_sort_deal *deal = pe->deal;
    bool two = pe->keys && deal->way == UNO_SORT_DIRECT && deal->shift <= UNO_SORT_NARROW &&
               (uint64_t)deal->cells << deal->shift <= UNO_SORT_CELLS;
    return two && uno_sort_two_digits(n, pe->kernel->record) ? deal->shift : 0;
}

/* Count the n records of `from`, which are this PE's, by bucket. If keys are two digits, every key is
 * counted, which takes no longer, and spares counting the second digit. */
static void count(struct uno_sort_pe_state *pe, const char *from, uint64_t n, unsigned digit) {
    struct uno_sort_deal *deal = pe->deal;
    uint64_t *count = pe->told[pe->crew->me].count;
    memset(count, 0, deal->buckets * sizeof *count);
    if (!digit) {
        pe->kernel->count(&pe->key, deal, from, n, count);
        return;
    }
    uint64_t *keys = pe->keys[pe->crew->me].count;
    memset(keys, 0, sizeof pe->keys->count);
    deal->shift = 0;
    pe->kernel->count(&pe->key, deal, from, n, keys);
    deal->shift = digit;
    for (uint64_t k = 0; k < (uint64_t)deal->cells << digit; k++)
        count[k >> digit] += keys[k];
}

bool uno_sort_partition(struct uno_sort_pe_state *pe, const char *from, char *to, uint64_t n,
                        struct uno_sort_dealt *dealt) {
    uint64_t *ns = pe->times->ns, t0 = uno_kernel_now();
    bool differ = choose(pe, from, n);
    uint64_t t1 = uno_kernel_now();
    ns[UNO_SORT_SAMPLE] += t1 - t0;
    if (!differ)
        return false;
    size_t record = pe->kernel->record;
    uint64_t begin = uno_sort_begin(pe->crew, n), end = uno_sort_end(pe->crew, n);
    dealt->digit = second_digit(pe, n);
    count(pe, from + begin * record, end - begin, dealt->digit);
    uint64_t t2 = uno_kernel_now();
    ns[UNO_SORT_COUNT] += t2 - t1;
    uno_sort_meet(pe->crew);
    uint64_t t3 = uno_kernel_now();
    find_places(pe, dealt->start);
    if (!write_keys(pe, to))
        pe->kernel->scatter(&pe->key, pe->deal, from + begin * record, end - begin, to,
                            n * record >= UNO_SORT_STREAM_BYTES, pe->scratch);
    dealt->buckets = pe->deal->buckets;
    memcpy(dealt->one_key, pe->deal->one_key, pe->deal->buckets * sizeof *dealt->one_key);
    ns[UNO_SORT_SCATTER] += uno_kernel_now() - t3;
    uno_sort_meet(pe->crew);
    return true;
}
