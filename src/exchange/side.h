/* One side of an exchange: a block for each member, described by where the blocks lie. A block's bytes are
 * counted in the order in which they travel. */

#ifndef UNO_EXCHANGE_SIDE_H
#define UNO_EXCHANGE_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/copy.h"

struct uno_side {
    char *base;
    const size_t *bytes, *at; /* the bytes and the offset of each block; NULL: all blocks are equal: */
    size_t rows, width;       /* so many rows of so many bytes each, */
    size_t block, row;        /* and the distances from one block to the next and from one row to the next */
};

static inline size_t uno_side_bytes(const struct uno_side *side, int r) {
    return side->bytes ? side->bytes[r] : side->rows * side->width;
}

static inline char *uno_side_at(const struct uno_side *side, int r) {
    return side->base + (side->at ? side->at[r] : (size_t)r * side->block);
}

/* Return true if the bytes of a block are contiguous. */
static inline bool uno_side_plain(const struct uno_side *side) {
    return side->bytes || side->rows == 1 || side->row == side->width;
}

/* Prefetch the memory of n contiguous blocks that will be written. */
void uno_sides_expect(const struct uno_side *side, int n);

/* Copy `bytes` bytes of block r, from byte `at` on, to `out`; or from `in` into the block. */
void uno_side_pack(const struct uno_side *side, int r, size_t at, size_t bytes, char *out);
void uno_side_unpack(const struct uno_side *side, int r, size_t at, size_t bytes, const char *in);

/* Copy block f of `from` to block t of `to` with `copy`. Both blocks have the same bytes and rows of the same
 * width. */
void uno_side_copy(const struct uno_side *to, int t, const struct uno_side *from, int f, uno_copy *copy);

/* Return true if the blocks of both sides, n contiguous ones each, overlap: from the first byte of any to the
 * last of any. */
bool uno_sides_overlap(const struct uno_side *a, const struct uno_side *b, int n);

#endif
