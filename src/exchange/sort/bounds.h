/* The sizes by which a sort goes. */

#ifndef UNO_SORT_BOUNDS_H
#define UNO_SORT_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UNO_SORT_ROW = 512,             /* bytes of a bucket that are collected before they are written, */
    UNO_SORT_ROWS = 256,            /* with up to so many buckets; a line with more */
    UNO_SORT_BUCKETS = 2048,        /* at most: what is collected must lie in a second-level cache */
    UNO_SORT_CELLS = 1 << 16,       /* at most, of which buckets are made up */
    UNO_SORT_LOCAL_BYTES = 2 << 20, /* the records that one PE sorts within its caches */
    UNO_SORT_DIGIT = 16,            /* bits by which it sorts them at once, at most */
    UNO_SORT_NARROW = 8,            /* bits of a digit, of which two are the whole key: of like size then */
    UNO_SORT_AT_ONCE = 64,          /* records whose buckets are found before any is moved */
};

/* The bounds that decide how records are sorted; the model of a sort (src/model/) uses them too. */
enum {
    UNO_SORT_ALONE_BYTES = 128 << 10, /* bytes that the first PE sorts alone, at most */
    /* As much memory as no second-level cache has: below it, a line is better left in the cache. */
    UNO_SORT_STREAM_BYTES = 4 << 20,
    /* Buckets enough for each to be sorted within a second-level cache, together with as much room for the
     * records to be moved to and the places of a digit; and for every PE to find work until the end. */
    UNO_SORT_BUCKET_BYTES = 128 << 10,
    UNO_SORT_BUCKETS_OF_PE = 32,
};

/* Return how many of n records' keys are looked at before the records are dealt out: enough to tell how the
 * keys are spread, and few beside all. */
static inline uint64_t uno_sort_sampled(uint64_t n) {
    enum { LEAST = 1024, SHARE = 8 };
    uint64_t size = n / SHARE < LEAST ? LEAST : n / SHARE;
    size = size < UNO_SORT_CELLS ? size : UNO_SORT_CELLS;
    return size < n ? size : n;
}

/* Return true if so many records have buckets too large for the caches even if there are as many buckets as a
 * digit has values. */
static inline bool uno_sort_two_digits(uint64_t n, size_t record) {
    return n * record >> UNO_SORT_NARROW > UNO_SORT_LOCAL_BYTES / 8;
}

/* Return the bits of the digit by which n records are sorted within the caches, if their keys differ in as
 * many bits; bare: the records are nothing but a key of 4 or 8 bytes. */
static inline unsigned uno_sort_digit(uint64_t n, bool bare) {
    unsigned bits = (bare ? 63 : 64) - (unsigned)__builtin_clzll(n);
    return bits < UNO_SORT_DIGIT ? bits : UNO_SORT_DIGIT;
}

/* Return how many bits it takes to write v. */
static inline unsigned uno_sort_bits(uint64_t v) {
    return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* Return how many buckets n records should be dealt out to by so many PEs. */
static inline uint32_t uno_sort_wanted(uint64_t n, size_t record, int pes) {
    uint64_t want = n * record / UNO_SORT_BUCKET_BYTES + 1, least = UNO_SORT_BUCKETS_OF_PE * (uint64_t)pes;
    want = want < least ? least : want;
    return want < UNO_SORT_BUCKETS ? (uint32_t)want : UNO_SORT_BUCKETS;
}

struct uno_sort_range {
    uint64_t low, high;
};

#endif
