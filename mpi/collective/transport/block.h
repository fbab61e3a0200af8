/* Where blocks of packed bytes lie: equal ones one after the other, or each wherever it is. */

#ifndef UNO_BLOCK_H
#define UNO_BLOCK_H

#include <string.h>

#include "collective/base.h"

struct uno_block {
    char *bytes;
    size_t size;
};

/* One of each rank. */
struct uno_blocks {
    char *bytes; /* of the first, and bytes of each, */
    size_t size;
    struct uno_block *of; /* unless this is not NULL */
};

static inline struct uno_block uno_block_of(const struct uno_blocks *b, int r) {
    return b->of ? b->of[r] : (struct uno_block){b->bytes + (size_t)r * b->size, b->size};
}

/* A rank's block for itself. */
static inline void uno_block_keep(struct uno_block to, struct uno_block from) {
    size_t bytes = uno_least(to.size, from.size);
    if (to.bytes != from.bytes && bytes)
        memmove(to.bytes, from.bytes, bytes);
}

#endif
