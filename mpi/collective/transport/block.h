/* The places of blocks of packed bytes: equal ones one after the other, or each anywhere. */

#ifndef UNO_BLOCK_H
#define UNO_BLOCK_H

#include <string.h>

#include "collective/base.h"
#include "engine/copy.h"

struct uno_block {
    char *bytes;
    size_t size;
};

/* A block for each rank. */
struct uno_blocks {
    char *bytes; /* of the first, and bytes of each, */
    size_t size;
    struct uno_block *of; /* unless this is not NULL */
};

static inline struct uno_block uno_block_of(const struct uno_blocks *b, int r) {
    return b->of ? b->of[r] : (struct uno_block){b->bytes + (size_t)r * b->size, b->size};
}

/* A rank's block for itself, by a copy that goes as memcpy. */
static inline void uno_block_keep_by(struct uno_block to, struct uno_block from, uno_copy *copy) {
    size_t bytes = uno_least(to.size, from.size);
    if (to.bytes != from.bytes && bytes)
        copy(to.bytes, from.bytes, bytes);
}

static inline void uno_block_keep(struct uno_block to, struct uno_block from) {
    uno_block_keep_by(to, from, memmove);
}

/* Bytes of the blocks of n ranks. */
static inline size_t uno_blocks_sum(const struct uno_blocks *b, int n) {
    size_t sum = 0;
    for (int r = 0; r < n; r++)
        sum += uno_block_of(b, r).size;
    return sum;
}

#endif
