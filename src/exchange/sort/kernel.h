/* The loops of a sort over its records, each compiled for a size of record and of key. */

#ifndef UNO_SORT_KERNEL_H
#define UNO_SORT_KERNEL_H

#include "bounds.h"
#include "engine/lines.h"
#include "key.h"

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
    bool all_often; /* keys cut the buckets, and the sample has no others */
    uint32_t cells, buckets;
    uint16_t bucket[UNO_SORT_CELLS];
    bool one_key[UNO_SORT_BUCKETS]; /* the keys of this bucket are equal, whatever they are */
    uint64_t key[UNO_SORT_BUCKETS]; /* above `low`: that key; of another bucket the key that cuts it, or
                                       UINT64_MAX */
};

static inline uint64_t uno_sort_cell(const struct uno_sort_deal *deal, uint64_t value) {
    return (value - deal->low) >> deal->shift;
}

/* The bucket of a value above `low`, before keys cut it. What is said of the deal beside it is true of it,
 * for a caller that has loops for each. */
static inline uint32_t uno_sort_bucket(const struct uno_sort_deal *deal, unsigned shift, bool direct,
                                       uint64_t above) {
    uint64_t cell = above >> shift;
    return direct ? (uint32_t)cell : deal->bucket[cell];
}

/* And after that. */
static inline uint32_t uno_sort_cut(const struct uno_sort_deal *deal, uint32_t b, uint64_t above) {
    uint64_t key = deal->key[b];
    return b + (above >= key) + (above > key);
}

/* The key that most of a cell's sample may have. */
struct uno_sort_often {
    uint64_t key;
    uint32_t votes, found;
};

/* What one PE needs to work alone. */
struct uno_sort_scratch {
    uint64_t place[UNO_SORT_BUCKETS]; /* where the next record of a bucket goes */
    uint64_t first[UNO_SORT_BUCKETS]; /* where this PE's first one went */
    _Alignas(UNO_LINE) char rows[UNO_SORT_BUCKETS * UNO_LINE];
    uint32_t digit[(1 << UNO_SORT_DIGIT) + 1];
    union {
        _Alignas(UNO_LINE) char records[UNO_SORT_LOCAL_BYTES];
        struct {
            uint64_t weight[UNO_SORT_CELLS];
            struct uno_sort_often often[UNO_SORT_CELLS];
        };
    };
};

/* `n` records lie at `from`. The loops are those of order.h, deal.h and within.h. */
struct uno_sort_kernel {
    size_t record;
    unsigned key_bytes;
    bool floating;

    /* order.h: what is in order already. */

    /* Return true if the records are in order; or, if `down`, each is less than the one before it. */
    bool (*ordered)(const struct uno_sort_key *key, const char *from, uint64_t n, bool down);

    /* Exchange the records numbered from `begin` to `end` with those as far from the end of all n, which is
     * at most half of them. */
    void (*reverse)(char *records, uint64_t n, uint64_t begin, uint64_t end);

    /* deal.h: from one array to the buckets of another. */

    /* Add to count[b] the records of each bucket b, of which there may be UNO_SORT_CELLS. */
    void (*count)(const struct uno_sort_key *key, const struct uno_sort_deal *deal, const char *from,
                  uint64_t n, uint64_t *count);

    /* Copy every record to the place of its bucket in `to`, in their order. scratch->place says where each
     * bucket begins, as a number of records. Past the caches if `streaming`. */
    void (*scatter)(const struct uno_sort_key *key, const struct uno_sort_deal *deal, const char *from,
                    uint64_t n, char *to, bool streaming, struct uno_sort_scratch *scratch);

    /* Write n records which are nothing but this key. */
    void (*fill)(const struct uno_sort_key *key, uint64_t value, char *to, uint64_t n);

    /* within.h: within the caches. */

    /* The least and the greatest value of a key; n is at least 1. */
    struct uno_sort_range (*range)(const struct uno_sort_key *key, const char *from, uint64_t n);

    /* Sort records of at most UNO_SORT_LOCAL_BYTES into `to`, which is `from` or does not overlap it. */
    void (*local)(const struct uno_sort_key *key, char *from, uint64_t n, char *to,
                  struct uno_sort_scratch *scratch);
};

/* The loops for such a record and key, or NULL: such records are sorted by way of pairs of key and number. */
const struct uno_sort_kernel *uno_sort_kernel(size_t record, const struct uno_sort_key *key);

#endif
