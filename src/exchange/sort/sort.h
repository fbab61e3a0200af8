/* Sorting records of a fixed size by a key, by PEs that share memory.
 *
 * One pass over all records deals them out to buckets that fit the caches, in the order of the keys; then
 * each bucket is sorted within the caches, by whichever PE is free. The buckets follow a sample of the keys,
 * so they are of like size whatever the distribution. A bucket that is too large nevertheless is dealt out
 * again over the range of its own keys, by all PEs if it would keep one of them busy alone; one whose keys
 * are all equal is done, and a key that the sample shows to be met often has such a bucket from the start. A
 * level takes at least 10 bits of what is left of a key, and 16 where there are many records, so there are
 * few levels. Every step is stable. */

#ifndef UNO_SORT_H
#define UNO_SORT_H

#include "crew.h"
#include "key.h"

/* A sort, the same at every PE. */
struct uno_sort {
    uint64_t n;    /* records, */
    size_t record; /* of so many bytes; the key lies within */
    struct uno_sort_key key;

    /* uno_sort_prepare says how much memory the PEs need beside the arrays, for all together, and each for
     * itself; and how the sort goes. A prepared sort may be given fewer records. */
    size_t work_bytes, own_bytes;
    const struct uno_sort_kernel *kernel;
    struct uno_sort_key by;   /* the key within what is dealt out: records, or pairs of a key and a number */
    size_t told, keys, pairs; /* where in `work` each of them begins, if there are any */

    /* The two arrays hold n records each and are at whole lines (64 bytes), as `work` is. */
    char *from; /* the records */
    char *to;
    char *work;                                    /* that all PEs share */
    void (*progress)(void *shown, uint64_t bytes); /* or NULL: this PE has put so much more in order */
    void *shown;
};

extern const char *const uno_sort_phase_names[UNO_SORT_PHASES];

enum { UNO_SORT_ALIGN = 64 };

struct uno_sort uno_sort_prepare(uint64_t n, size_t record, const struct uno_sort_key *key, int pes);

/* Sort. Called by every PE of the crew; `own` is own_bytes of this PE at a whole line. Returns which of the
 * two arrays has the sorted records; the other has anything. */
char *uno_sort(const struct uno_sort *sort, const struct uno_sort_crew *crew, void *own,
               struct uno_sort_times *times);

#endif
