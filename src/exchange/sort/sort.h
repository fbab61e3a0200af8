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

/* What is to be sorted, the same at every PE. The two arrays hold `n` records each and are at whole lines (64
 * bytes). */
struct uno_sort {
    char *from; /* the records */
    char *to;
    uint64_t n;
    size_t record; /* bytes; the key lies within */
    struct uno_sort_key key;
    void *work; /* uno_sort_work bytes that all PEs share, at a whole line */
    void (*progress)(void *shown, uint64_t bytes); /* or NULL: this PE has put so much more in order */
    void *shown;
};

extern const char *const uno_sort_phase_names[UNO_SORT_PHASES];

/* Bytes of memory that the PEs need beside the arrays, for all together; and that each needs for itself. */
enum { UNO_SORT_ALIGN = 64 };
size_t uno_sort_work(uint64_t n, size_t record, const struct uno_sort_key *key, int pes);
size_t uno_sort_own(void);

/* Sort. Called by every PE of the crew; `own` is uno_sort_own bytes of this PE at a whole line. Returns which
 * of the two arrays has the sorted records; the other has anything. */
char *uno_sort(const struct uno_sort *sort, const struct uno_sort_crew *crew, void *own,
               struct uno_sort_times *times);

#endif
