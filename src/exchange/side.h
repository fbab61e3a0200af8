/* The blocks of one side of an exchange, of which a member has one for each: where they lie, and their bytes
 * in the order in which they travel. */

#ifndef UNO_EXCHANGE_SIDE_H
#define UNO_EXCHANGE_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/copy.h"

struct uno_side {
    char *base;
    const size_t *bytes, *at; /* of each block; NULL: they are equal, */
    size_t rows, width;       /* of so many rows of so many bytes, */
    size_t block, row;        /* and so far from one to the next */
};

static inline size_t uno_side_bytes(const struct uno_side *side, int r) {
    return side->bytes ? side->bytes[r] : side->rows * side->width;
}

static inline char *uno_side_at(const struct uno_side *side, int r) {
    return side->base + (side->at ? side->at[r] : (size_t)r * side->block);
}

/* Whether the bytes of a block lie one after the other. */
static inline bool uno_side_plain(const struct uno_side *side) {
    return side->bytes || side->rows == 1 || side->row == side->width;
}

/* Ask for the memory of n blocks, plain ones, that are to be written. */
void uno_sides_expect(const struct uno_side *side, int n);

/* Copy `bytes` bytes of block r, from byte `at` on, to `out`; or from `in` to there. */
void uno_side_pack(const struct uno_side *side, int r, size_t at, size_t bytes, char *out);
void uno_side_unpack(const struct uno_side *side, int r, size_t at, size_t bytes, const char *in);

/* Copy block f of `from` to block t of `to`, which has as many bytes, and rows of the same width, by `copy`.
 */
void uno_side_copy(const struct uno_side *to, int t, const struct uno_side *from, int f, uno_copy *copy);

/* Whether the blocks of both, n each and plain ones, overlap: from the first byte of any to the last of any.
 */
bool uno_sides_overlap(const struct uno_side *a, const struct uno_side *b, int n);

#endif
