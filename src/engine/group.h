/* Barrier masks: made the current group, tested, and written for people. */

#ifndef UNO_GROUP_H
#define UNO_GROUP_H

#include "pe.h"

/* Make the mask of job->words words the current group. Ends with an error if it lacks this PE or names one
 * that does not exist. */
void uno_group_set(struct uno_pe *pe, const uint64_t *mask, const char *caller);

/* Make a group that uno_group_of made the current one. */
void uno_group_adopt(struct uno_pe *pe, const struct uno_group *group);

/* The group of the mask's job->words words, which names PE `me`. */
void uno_group_of(const uint64_t *mask, int words, int me, struct uno_group *group);

/* All PEs of the job. */
void uno_group_all(struct uno_pe *pe);

static inline bool uno_group_has(const struct uno_group *group, int k) {
    return group->mask[k / 64] >> (k % 64) & 1;
}

/* Bits of `word` below bit k. Counting them takes a call where the processor is not known to do it. */
static inline int uno_bits_below(uint64_t word, int k) {
    uint64_t all = ((uint64_t)1 << k) - 1, below = word & all;
    return below == all ? k : __builtin_popcountll(below);
}

/* The number of members before PE k. */
static inline int uno_group_rank(const struct uno_group *group, int k) {
    int rank = 0;
    for (int w = 0; w < k / 64; w++)
        rank += __builtin_popcountll(group->mask[w]);
    return rank + uno_bits_below(group->mask[k / 64], k % 64);
}

/* Run the statement that follows for every set bit of the mask of `words` words, in rising order; k is
 * declared here as the bit's number. */
#define UNO_FOR_EACH_PE(k, mask, words)                                                                      \
    for (int k##_word = 0; k##_word < (words); k##_word++)                                                   \
        for (uint64_t k##_bits = (mask)[k##_word]; k##_bits; k##_bits &= k##_bits - 1)                       \
            for (int k = k##_word * 64 + __builtin_ctzll(k##_bits), k##_once = 1; k##_once; k##_once = 0)

enum { UNO_GROUP_TEXT = 120 };

/* "{0-3,7}"; ends in "..." if it does not fit. Returns text. */
const char *uno_group_text(const uint64_t *mask, int words, char text[UNO_GROUP_TEXT]);

#endif
