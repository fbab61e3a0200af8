#include "kernel.h"

#include "within.h"

/* Whether one of these records is less than the one before it, of which the key is *before; or not less, if
 * `down`. */
INLINE bool disorder(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key,
                     const char *from, uint64_t n, bool down, uint64_t *before) {
    bool found = false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = value_at(key, record, bytes, floating, from, i);
        found |= down ? v >= *before : v < *before;
        *before = v;
    }
    return found;
}

INLINE bool ordered(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *by,
                    const char *from, uint64_t n, bool down) {
    const struct uno_sort_key key = *by;
    const uint64_t in_line = UNO_LINE / record;
    uint64_t i = 1, before = n ? value_at(&key, record, bytes, floating, from, 0) : 0;
    for (; i + in_line <= n; i += in_line) {
        __builtin_prefetch(from + i * record + AHEAD);
        if (disorder(record, bytes, floating, &key, from + i * record, in_line, down, &before))
            return false;
    }
    return i >= n || !disorder(record, bytes, floating, &key, from + i * record, n - i, down, &before);
}

INLINE void reverse(size_t record, char *records, uint64_t n, uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; i++) {
        char a[16], b[16], *low = records + i * record, *high = records + (n - 1 - i) * record;
        memcpy(a, low, record);
        memcpy(b, high, record);
        memcpy(low, b, record);
        memcpy(high, a, record);
    }
}

/* The buckets of UNO_SORT_AT_ONCE records are found before any of them is counted or moved. Otherwise, where
 * few buckets have most records, what is read of a bucket would often be what a record shortly before has yet
 * to write, at an address that is not known yet: a processor that has read too early starts again from there.
 * For the same reason tables are looked up one after the other. */

INLINE void find_buckets(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key,
                         const struct uno_sort_deal *deal, const char *from, uint64_t n, uint16_t *bucket,
                         enum uno_sort_way way) {
    const uint64_t low = deal->low;
    const unsigned shift = deal->shift;
    for (uint64_t i = 0; i < n; i++)
        bucket[i] = (uint16_t)uno_sort_bucket(deal, shift, way == UNO_SORT_DIRECT,
                                              value_at(key, record, bytes, floating, from, i) - low);
    for (uint64_t i = 0; i < n && way == UNO_SORT_CUTS; i++)
        bucket[i] =
            (uint16_t)uno_sort_cut(deal, bucket[i], value_at(key, record, bytes, floating, from, i) - low);
}

/* The buckets of n records, if each of them has the key that cuts its bucket, as all of the sample had: one
 * comparison for each. It makes scattering faster; counting, which has less to do between, becomes slower, as
 * it reads sooner what it has yet to write. */
INLINE bool find_cuts(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key,
                      const struct uno_sort_deal *deal, const char *from, uint64_t n, uint16_t *bucket) {
    const uint64_t low = deal->low;
    const unsigned shift = deal->shift;
    uint64_t others = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t above = value_at(key, record, bytes, floating, from, i) - low;
        uint32_t b = uno_sort_bucket(deal, shift, false, above);
        others |= above ^ deal->key[b];
        bucket[i] = (uint16_t)(b + 1);
    }
    return !others;
}

INLINE void count(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *by,
                  const struct uno_sort_deal *deal, const char *from, uint64_t n, uint64_t *counts,
                  enum uno_sort_way way) {
    const struct uno_sort_key key = *by;
    uint16_t bucket[UNO_SORT_AT_ONCE];
    for (uint64_t some; n; n -= some, from += some * record) {
        some = n < UNO_SORT_AT_ONCE ? n : UNO_SORT_AT_ONCE;
        find_buckets(record, bytes, floating, &key, deal, from, some, bucket, way);
        for (uint64_t i = 0; i < some; i++)
            counts[bucket[i]]++;
    }
}

INLINE void count_any(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key,
                      const struct uno_sort_deal *deal, const char *from, uint64_t n, uint64_t *counts) {
    if (deal->way == UNO_SORT_DIRECT)
        count(record, bytes, floating, key, deal, from, n, counts, UNO_SORT_DIRECT);
    else if (deal->way == UNO_SORT_TABLE)
        count(record, bytes, floating, key, deal, from, n, counts, UNO_SORT_TABLE);
    else
        count(record, bytes, floating, key, deal, from, n, counts, UNO_SORT_CUTS);
}

/* Only of records that are no longer than a key, of which there are none of 16 bytes. */
INLINE void fill(size_t record, const struct uno_sort_key *key, uint64_t value, char *to, uint64_t n) {
    uint64_t v = uno_sort_bytes(key, value);
    for (uint64_t i = 0; i < n; i++)
        memcpy(to + i * record, &v, record < sizeof v ? record : sizeof v);
}

/* ---- scatter ---------------------------------------------------------------------------------------------
 * A store to one of 2,048 places costs a cache miss and a look-up of a page, so a bucket's records are
 * collected in a row of their own first, which is written when it is full (software write-combining:
 * Polychroniou and Ross, "A Comprehensive Study of Main-Memory Partitioning", 2014). Lines that are written
 * past the caches are not read from memory first. Long rows are written faster than single lines, but only
 * those of few buckets fit a second-level cache. */

INLINE void write_row(char *to, const char *row, size_t bytes, bool streaming) {
    if (streaming)
        uno_lines_past(to, row, bytes);
    else
        memcpy(to, row, bytes);
}

/* Records at a row's end or start may be another PE's or another bucket's: only those of this PE are
 * written. */
static void write_part(size_t record, size_t row, char *to, const char *collected, uint64_t first,
                       uint64_t end) {
    uint64_t in_row = row / record, start = (end - 1) / in_row * in_row;
    uint64_t from = start < first ? first : start;
    memcpy(to + from * record, collected + (from - start) * record, (end - from) * record);
}

INLINE void scatter(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *by,
                    const struct uno_sort_deal *deal, const char *from, uint64_t n, char *to, bool streaming,
                    struct uno_sort_scratch *scratch, enum uno_sort_way way, size_t row) {
    const uint64_t in_row = row / record;
    const struct uno_sort_key key = *by; /* which no store can change, as the compiler sees */
    uint64_t *place = scratch->place;
    /* Count from the line in which `to` begins, so that rows are whole lines. */
    const uint64_t before = (uintptr_t)to % UNO_LINE / record;
    to -= before * record;
    for (unsigned b = 0; b < deal->buckets; b++)
        scratch->first[b] = place[b] += before;
    uint16_t bucket[UNO_SORT_AT_ONCE];
    for (uint64_t some; n; n -= some, from += some * record) {
        some = n < UNO_SORT_AT_ONCE ? n : UNO_SORT_AT_ONCE;
        if (way != UNO_SORT_CUTS || !deal->all_often ||
            !find_cuts(record, bytes, floating, &key, deal, from, some, bucket))
            find_buckets(record, bytes, floating, &key, deal, from, some, bucket, way);
        for (uint64_t i = 0; i < some; i++) {
            uint32_t b = bucket[i];
            uint64_t at = place[b]++;
            char *collected = scratch->rows + b * row;
            memcpy(collected + at % in_row * record, from + i * record, record);
            if ((at + 1) % in_row)
                continue;
            if (at + 1 - scratch->first[b] >= in_row)
                write_row(to + (at + 1 - in_row) * record, collected, row, streaming);
            else
                write_part(record, row, to, collected, scratch->first[b], at + 1);
        }
    }
    for (unsigned b = 0; b < deal->buckets; b++)
        if (place[b] % in_row && place[b] > scratch->first[b])
            write_part(record, row, to, scratch->rows + b * row, scratch->first[b], place[b]);
    uno_lines_end(); /* what was written past the caches is there before the PE says so */
}

/* The rows that fit, and the way to a bucket, as constants. */
INLINE void scatter_any(size_t record, unsigned bytes, bool floating, const struct uno_sort_key *key,
                        const struct uno_sort_deal *deal, const char *from, uint64_t n, char *to,
                        bool streaming, struct uno_sort_scratch *scratch) {
    bool rows = deal->buckets <= UNO_SORT_ROWS;
    if (deal->way == UNO_SORT_CUTS && rows)
        scatter(record, bytes, floating, key, deal, from, n, to, streaming, scratch, UNO_SORT_CUTS,
                UNO_SORT_ROW);
    else if (deal->way == UNO_SORT_CUTS)
        scatter(record, bytes, floating, key, deal, from, n, to, streaming, scratch, UNO_SORT_CUTS, UNO_LINE);
    else if (deal->way == UNO_SORT_TABLE)
        scatter(record, bytes, floating, key, deal, from, n, to, streaming, scratch, UNO_SORT_TABLE,
                UNO_LINE);
    else if (rows)
        scatter(record, bytes, floating, key, deal, from, n, to, streaming, scratch, UNO_SORT_DIRECT,
                UNO_SORT_ROW);
    else
        scatter(record, bytes, floating, key, deal, from, n, to, streaming, scratch, UNO_SORT_DIRECT,
                UNO_LINE);
}

/* ---- for each size ----------------------------------------------------------------------------------- */

/* The bytes of a record and of its key, and whether that is a floating-point number. */
#define KEYS_2(X, r) X(r, 1, 0) X(r, 2, 0)
#define KEYS_4(X, r) KEYS_2(X, r) X(r, 4, 0) X(r, 4, 1)
#define KEYS_8(X, r) KEYS_4(X, r) X(r, 8, 0) X(r, 8, 1)
#define UNO_SORT_KINDS(X) X(1, 1, 0) KEYS_2(X, 2) KEYS_4(X, 4) KEYS_8(X, 8) KEYS_8(X, 16)

#define FUNCTIONS(r, k, f)                                                                                   \
    static struct uno_sort_range range_##r##_##k##_##f(const struct uno_sort_key *key, const char *from,     \
                                                       uint64_t n) {                                         \
        return range(r, k, f, key, from, n);                                                                 \
    }                                                                                                        \
    static bool ordered_##r##_##k##_##f(const struct uno_sort_key *key, const char *from, uint64_t n,        \
                                        bool down) {                                                         \
        return ordered(r, k, f, key, from, n, down);                                                         \
    }                                                                                                        \
    static void reverse_##r##_##k##_##f(char *records, uint64_t n, uint64_t begin, uint64_t end) {           \
        reverse(r, records, n, begin, end);                                                                  \
    }                                                                                                        \
    static void count_##r##_##k##_##f(const struct uno_sort_key *key, const struct uno_sort_deal *deal,      \
                                      const char *from, uint64_t n, uint64_t *counts) {                      \
        count_any(r, k, f, key, deal, from, n, counts);                                                      \
    }                                                                                                        \
    static void fill_##r##_##k##_##f(const struct uno_sort_key *key, uint64_t value, char *to, uint64_t n) { \
        fill(r, key, value, to, n);                                                                          \
    }                                                                                                        \
    static void scatter_##r##_##k##_##f(const struct uno_sort_key *key, const struct uno_sort_deal *deal,    \
                                        const char *from, uint64_t n, char *to, bool streaming,              \
                                        struct uno_sort_scratch *scratch) {                                  \
        scatter_any(r, k, f, key, deal, from, n, to, streaming, scratch);                                    \
    }                                                                                                        \
    static void below_##r##_##k##_##f(const struct uno_sort_key *key, char *from, uint64_t n, char *to,      \
                                      char *other, uint32_t *place) {                                        \
        local(r, k, f, key, from, n, to, other, place, BELOW_DIGIT, below_##r##_##k##_##f);                  \
    }                                                                                                        \
    static void local_##r##_##k##_##f(const struct uno_sort_key *key, char *from, uint64_t n, char *to,      \
                                      struct uno_sort_scratch *scratch) {                                    \
        local(r, k, f, key, from, n, to, scratch->records, scratch->digit, UNO_SORT_DIGIT,                   \
              below_##r##_##k##_##f);                                                                        \
    }
UNO_SORT_KINDS(FUNCTIONS)

#define ROW(r, k, f)                                                                                         \
    {r,                                                                                                      \
     k,                                                                                                      \
     f,                                                                                                      \
     range_##r##_##k##_##f,                                                                                  \
     count_##r##_##k##_##f,                                                                                  \
     scatter_##r##_##k##_##f,                                                                                \
     local_##r##_##k##_##f,                                                                                  \
     fill_##r##_##k##_##f,                                                                                   \
     reverse_##r##_##k##_##f,                                                                                \
     ordered_##r##_##k##_##f},
static const struct uno_sort_kernel kernels[] = {UNO_SORT_KINDS(ROW)};

const struct uno_sort_kernel *uno_sort_kernel(size_t record, const struct uno_sort_key *key) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].record == record && kernels[i].key_bytes == key->bytes &&
            kernels[i].floating == (key->flip != 0))
            return &kernels[i];
    return NULL;
}
