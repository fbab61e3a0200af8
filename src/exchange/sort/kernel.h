/* The loops of a sort over its records, each compiled for a size of record and of key. */

#ifndef UNO_SORT_KERNEL_H
#define UNO_SORT_KERNEL_H

#include "key.h"

enum {
    UNO_SORT_LINE = 64,
    UNO_SORT_ROW = 512,             /* bytes of a bucket that are collected before they are written, */
    UNO_SORT_ROWS = 256,            /* with up to so many buckets; a line with more */
    UNO_SORT_BUCKETS = 2048,        /* at most: what is collected must lie in a second-level cache */
    UNO_SORT_CELLS = 1 << 16,       /* at most, of which buckets are made up */
    UNO_SORT_LOCAL_BYTES = 2 << 20, /* the records that one PE sorts within its caches */
    UNO_SORT_DIGIT = 16,            /* bits by which it sorts them at once, at most */
    UNO_SORT_NARROW = 8,            /* bits of a digit, of which two are the whole key: of like size then */
};

/* What decides how records are sorted; the model of a sort (src/model/) goes by the same. */
enum {
    UNO_SORT_ALONE_BYTES = 64 << 10, /* what the first PE does alone, at most */
    /* As much memory as no second-level cache has: below it, a line is better left in the cache. */
    UNO_SORT_STREAM_BYTES = 4 << 20,
    /* Buckets enough for each to be sorted within a second-level cache, together with as much room for the
     * records to be moved to and the places of a digit; and for every PE to find work until the end. */
    UNO_SORT_BUCKET_BYTES = 128 << 10,
    UNO_SORT_BUCKETS_OF_PE = 32,
};

/* How keys are dealt out to buckets: the range of the keys from `low` is cut into cells of 2^shift. Each cell
 * is a bucket, or a table gives the bucket of each; later cells are in the same bucket or a later one. So
 * buckets are in the order of the keys.
 *
 * A key that many records have gets a bucket of its own, which need not be sorted any more. In a table it
 * cuts the bucket of its cell: what is below it stays in bucket b, the key itself is in b + 1, what is above
 * it in b + 2 (as in IPS4o's paper: Axtmann and others, "In-place Parallel Super Scalar Samplesort", 2017).
 */
enum uno_sort_way {
    UNO_SORT_DIRECT, /* a cell is a bucket */
    UNO_SORT_TABLE,
    UNO_SORT_CUTS /* a table, and keys that cut its buckets */
};

struct uno_sort_deal {
    uint64_t low;
    unsigned shift;
    enum uno_sort_way way;
    uint32_t cells, buckets;
    uint16_t bucket[UNO_SORT_CELLS];
    bool one_key[UNO_SORT_BUCKETS]; /* the keys of this bucket are equal, whatever they are */
    uint64_t key[UNO_SORT_BUCKETS]; /* above `low`: that key; of another bucket the key that cuts it, or
                                       UINT64_MAX */
};

static inline uint64_t uno_sort_cell(const struct uno_sort_deal *deal, uint64_t value) {
    return (value - deal->low) >> deal->shift;
}

/* The bucket of a value above `low`. What is said of the deal beside it is true of it, for a caller that has
 * loops for each. */
static inline uint32_t uno_sort_bucket(const struct uno_sort_deal *deal, unsigned shift,
                                       enum uno_sort_way way, uint64_t above) {
    uint64_t cell = above >> shift;
    if (way == UNO_SORT_DIRECT)
        return (uint32_t)cell;
    uint32_t b = deal->bucket[cell];
    return way == UNO_SORT_TABLE ? b : b + (above >= deal->key[b]) + (above > deal->key[b]);
}

struct uno_sort_range {
    uint64_t low, high;
};

/* The key that most of a cell's sample may have. */
struct uno_sort_often {
    uint64_t key;
    uint32_t votes, found;
};

/* What one PE needs to work alone. */
struct uno_sort_scratch {
    uint64_t place[UNO_SORT_BUCKETS]; /* where the next record of a bucket goes */
    uint64_t first[UNO_SORT_BUCKETS]; /* where this PE's first one went */
    _Alignas(UNO_SORT_LINE) char rows[UNO_SORT_BUCKETS * UNO_SORT_LINE];
    uint32_t digit[(1 << UNO_SORT_DIGIT) + 1];
    union {
        _Alignas(UNO_SORT_LINE) char records[UNO_SORT_LOCAL_BYTES];
        struct {
            uint64_t weight[UNO_SORT_CELLS];
            struct uno_sort_often often[UNO_SORT_CELLS];
        };
    };
};

/* `n` records lie at `from`. */
struct uno_sort_kernel {
    size_t record;
    unsigned key_bytes;
    bool floating;

    /* The least and the greatest value of a key; n is at least 1. */
    struct uno_sort_range (*range)(const struct uno_sort_key *key, const char *from, uint64_t n);

    /* Add to count[b] the records of each bucket b. */
    void (*count)(const struct uno_sort_key *key, const struct uno_sort_deal *deal, const char *from,
                  uint64_t n, uint64_t *count);

    /* Copy every record to the place of its bucket in `to`, in their order. scratch->place says where each
     * bucket begins, as a number of records. Past the caches if `streaming`. */
    void (*scatter)(const struct uno_sort_key *key, const struct uno_sort_deal *deal, const char *from,
                    uint64_t n, char *to, bool streaming, struct uno_sort_scratch *scratch);

    /* Sort records of at most UNO_SORT_LOCAL_BYTES into `to`, which is `from` or does not overlap it. */
    void (*local)(const struct uno_sort_key *key, char *from, uint64_t n, char *to,
                  struct uno_sort_scratch *scratch);

    /* Write n records which are nothing but this key. */
    void (*fill)(const struct uno_sort_key *key, uint64_t value, char *to, uint64_t n);

    /* How far the records are in order: to the first that is less than the one before it; or, if `down`, that
     * is not less. n: all are. */
    uint64_t (*ordered)(const struct uno_sort_key *key, const char *from, uint64_t n, bool down);
};

/* The loops for such a record and key, or NULL: such records are sorted by way of pairs of key and number. */
const struct uno_sort_kernel *uno_sort_kernel(size_t record, const struct uno_sort_key *key);

#endif
