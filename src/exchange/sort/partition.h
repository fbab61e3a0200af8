/* One level of a sort: the records of an array are dealt out to buckets in another. */

#ifndef UNO_SORT_PARTITION_H
#define UNO_SORT_PARTITION_H

#include "crew.h"
#include "engine/atomic.h"
#include "kernel.h"

/* The memory that the PEs of a crew share. */
struct uno_sort_shared {
    _Alignas(64) uno_atomic32 next; /* bucket that no PE has taken yet */
    _Alignas(64) uint64_t sample[UNO_SORT_CELLS];
};

/* The record by which each PE of a crew tells the others about its part. */
struct uno_sort_told {
    _Alignas(64) struct uno_sort_range range;
    bool up, down; /* the PE's records are in order, or the other way round, after the one before them too */
    uint64_t count[UNO_SORT_BUCKETS];
};

/* How many records each of the PEs has of every key, where a key is two digits (uno_sort_dealt.digit). */
struct uno_sort_keys {
    _Alignas(64) uint64_t count[UNO_SORT_CELLS];
};

/* The memory that a PE has for itself. */
struct uno_sort_own {
    struct uno_sort_deal deal;
    struct uno_sort_scratch scratch;
    struct uno_sort_shared shared; /* these stand for those of the crew while this PE works alone */
    struct uno_sort_told told;
};

/* A record that no kernel is made for, as it is sorted: its key, and which it was. */
struct uno_sort_pair {
    uint64_t value, number;
};

/* The state of one PE as a member of a crew, or alone, with memory of its own in place of the crew's. */
struct uno_sort_pe_state {
    const struct uno_sort_kernel *kernel;
    struct uno_sort_key key;
    const struct uno_sort_crew *crew;
    struct uno_sort_shared *shared;
    struct uno_sort_told *told; /* by each PE of the crew */
    struct uno_sort_keys *keys; /* of each; or NULL: no keys are two digits */
    struct uno_sort_deal *deal;
    struct uno_sort_scratch *scratch;
    struct uno_sort_times *times;
};

/* The buckets after dealing out: the records of bucket b are numbered from start[b] to before
 * start[b + 1]. */
struct uno_sort_dealt {
    uint32_t buckets;
    uint64_t start[UNO_SORT_BUCKETS + 1];
    bool one_key[UNO_SORT_BUCKETS]; /* the bucket is in order */
    /* If not 0: the number of low bits, a digit, in which alone the keys of a bucket differ; then pe->keys
     * has how many records have each key, from the least. */
    unsigned digit;
};

/* Deal out the n records of `from` to `to`. False: all keys are equal, and nothing has been done. Called by
 * all PEs of the crew; the records are there at all PEs when it returns. */
bool uno_sort_partition(struct uno_sort_pe_state *pe, const char *from, char *to, uint64_t n,
                        struct uno_sort_dealt *dealt);

#endif
