/* Barrier masks, of one word for each 64 PEs: iteration, and their text. */

#ifndef UNO_MASK_H
#define UNO_MASK_H

#include <stdint.h>

/* Return the number of bits of `word` below bit k. Counting them takes a call on processors that are not
 * known to have the instruction, so the frequent case without gaps is tested first. */
static inline int uno_bits_below(uint64_t word, int k) {
    uint64_t all = ((uint64_t)1 << k) - 1, below = word & all;
    return below == all ? k : __builtin_popcountll(below);
}

/* Run the following statement for every set bit of a mask of `words` words, in ascending order; k is declared
 * here as the bit's number. */
#define UNO_FOR_EACH_PE(k, mask, words)                                                                      \
    for (int k##_word = 0; k##_word < (words); k##_word++)                                                   \
        for (uint64_t k##_bits = (mask)[k##_word]; k##_bits; k##_bits &= k##_bits - 1)                       \
            for (int k = k##_word * 64 + __builtin_ctzll(k##_bits), k##_once = 1; k##_once; k##_once = 0)

enum { UNO_MASK_TEXT = 120 };

/* Write a mask as "{0-3,7}"; it ends in "..." if it does not fit. Returns text. */
const char *uno_mask_text(const uint64_t *mask, int words, char text[UNO_MASK_TEXT]);

#endif
