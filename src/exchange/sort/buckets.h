/* The buckets to which a sort deals its records out, by their keys. */

#ifndef UNO_SORT_BUCKETS_H
#define UNO_SORT_BUCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "bounds.h"

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

/* Return the bucket of a value above `low`, before keys cut it. shift and direct are those of the deal, for a
 * caller that has a loop for each. */
static inline uint32_t uno_sort_bucket(const struct uno_sort_deal *deal, unsigned shift, bool direct,
                                       uint64_t above) {
    uint64_t cell = above >> shift;
    return direct ? (uint32_t)cell : deal->bucket[cell];
}

/* Return the bucket of a value above `low` in bucket b of the table, cut by the bucket's key. */
static inline uint32_t uno_sort_cut(const struct uno_sort_deal *deal, uint32_t b, uint64_t above) {
    uint64_t key = deal->key[b];
    return b + (above >= key) + (above > key);
}

#endif
