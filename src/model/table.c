#include "table.h"

/* A permutation of the numbers below a power of 2: each step can be undone. */
static uint64_t scramble(uint64_t x, uint64_t mask) {
    unsigned half = (unsigned)__builtin_popcountll(mask) / 2 + 1;
    for (int round = 0; round < 3; round++) {
        x = (x * UINT64_C(0x9e3779b97f4a7c15) + 0x1234567) & mask;
        x ^= x >> half;
    }
    return x;
}

/* Scramble below any number: a result beyond it is scrambled again, until it is below. */
static uint64_t scramble_below(uint64_t x, uint64_t count) {
    uint64_t mask = ~UINT64_C(0) >> __builtin_clzll(count | 1);
    do {
        x = scramble(x, mask);
    } while (x >= count);
    return x;
}

/* Element i of a matrix of n parts that is read by rows goes to where it is if it is read by columns. */
static uint64_t transposed(uint64_t i, uint64_t n, uint64_t words) {
    uint64_t row = n * UNO_MODEL_ROW;
    return i % row * (words / UNO_MODEL_ROW) + i / row;
}

/* The elements of a PE in n groups, as equal as can be: where group g starts. */
static uint64_t bound(uint64_t g, uint64_t n, uint64_t words) {
    return g * words / n;
}

/* Group g goes to PE g - me, modulo n: so each PE receives from all PEs together each group once, and as many
 * elements as its part has. There they lie one behind the other, or are scattered. */
static void grouped(uint64_t *index, uint64_t me, uint64_t n, uint64_t words, bool scatter) {
    for (uint64_t g = 0; g < n; g++) {
        uint64_t to = (g + n - me) % n, at = 0;
        for (uint64_t k = 0; k < me; k++) /* what those before this PE send there */
            at += bound((to + k) % n + 1, n, words) - bound((to + k) % n, n, words);
        for (uint64_t i = bound(g, n, words); i < bound(g + 1, n, words); i++, at++)
            index[i] = to * words + (scatter ? scramble_below(at, words) : at);
    }
}

void uno_table_permutation(uint64_t *index, enum uno_permutation permutation, int me, int n, size_t words) {
    uint64_t first = (uint64_t)me * words, all = (uint64_t)n * words;
    if (permutation == UNO_BLOCK || permutation == UNO_GROUPED) {
        grouped(index, (uint64_t)me, (uint64_t)n, words, permutation == UNO_GROUPED);
        return;
    }
    for (uint64_t i = 0; i < words; i++)
        index[i] = permutation == UNO_TRANSPOSE ? transposed(first + i, (uint64_t)n, words)
                                                : scramble_below(first + i, all);
}

void uno_table_local(uint64_t *index, enum uno_access pattern, size_t words) {
    for (uint64_t i = 0; i < words; i++)
        index[i] = pattern == UNO_STRIDED ? transposed(i, 1, words) : scramble_below(i, words);
}
