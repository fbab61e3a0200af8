/* The loops of a sort over its records, each compiled for a size of record and of key. */

#ifndef UNO_SORT_KERNEL_H
#define UNO_SORT_KERNEL_H

#include "bounds.h"
#include "buckets.h"
#include "engine/lines.h"
#include "key.h"

/* The key that most of a cell's sample may have. */
struct uno_sort_often {
    uint64_t key;
    uint32_t votes, found;
};

/* The memory that one PE needs to work alone. */
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

    /* order.h: records that are in order already. */

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
