/* How a PE counts the records of each bucket, and moves them there: loops for kernel.c.
 *
 * The buckets of UNO_SORT_AT_ONCE records are found before any of them is counted or moved. Otherwise, where
 * few buckets have most records, what is read of a bucket would often be what a record shortly before has yet
 * to write, at an address that is not known yet: a processor that has read too early starts again from there.
 * For the same reason tables are looked up one after the other. */

#ifndef UNO_SORT_DEAL_H
#define UNO_SORT_DEAL_H

#include "buckets.h"
#include "within.h"

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

#endif
