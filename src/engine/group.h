/* Groups: barrier masks, and values computed from them. */

#ifndef UNO_GROUP_H
#define UNO_GROUP_H

#include "mask.h"
#include "pe.h"

/* Make the mask of job->words words the current group. Ends with an error if it lacks this PE or names one
 * that does not exist. */
void uno_group_set(struct uno_pe *pe, const uint64_t *mask, const char *caller);

/* Make a group that uno_group_of has computed the current one. */
void uno_group_adopt(struct uno_pe *pe, const struct uno_group *group);

/* Compute the group of a mask of job->words words, which names PE `me`. */
void uno_group_of(const uint64_t *mask, int words, int me, struct uno_group *group);

/* Make all PEs of the job the current group. */
void uno_group_all(struct uno_pe *pe);

static inline bool uno_group_has(const struct uno_group *group, int k) {
    return group->mask[k / 64] >> (k % 64) & 1;
}

/* Return the number of members before PE k. */
static inline int uno_group_rank(const struct uno_group *group, int k) {
    int rank = 0;
    for (int w = 0; w < k / 64; w++)
        rank += __builtin_popcountll(group->mask[w]);
    return rank + uno_bits_below(group->mask[k / 64], k % 64);
}

#endif
