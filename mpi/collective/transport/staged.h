/* Larger data are copied twice: into the buffer of a slot, and out of it, at most UNO_PIECE bytes at a time:
 *
 *     memcpy(uno_staged_room(c), in, n);   uno_staged_meet(c, op, total);
 *     ... uno_staged_of(c, r) ...          uno_staged_end(c);
 *
 * That is one operation of the engine, as with slots.h. */

#ifndef UNO_STAGED_H
#define UNO_STAGED_H

#include "collective/transport/block.h"
#include "collective/transport/slots.h"

/* Bytes of a slot's buffer. */
#define UNO_PIECE ((size_t)64 * 1024)

/* Return the buffer into which this rank writes its data for the next operation. */
static inline void *uno_staged_room(const struct uno_comm *c) {
    return uno_board_buffer(uno_comm_pe(c));
}

static inline void uno_staged_meet(const struct uno_comm *c, enum uno_op op, size_t total) {
    uno_board_meet(uno_comm_pe(c), uno_comm_signature(c, op, total), uno_slots_words, 1);
}

/* Return the buffer that rank r wrote. */
static inline const void *uno_staged_of(const struct uno_comm *c, int r) {
    return uno_board_buffer_of(c->lane->pe, c->pe[r]);
}

/* Return the buffers that all ranks wrote. */
static inline const void *const *uno_staged_of_all(const struct uno_comm *c) {
    for (int r = 0; r < c->size; r++)
        c->data[r] = uno_staged_of(c, r);
    return c->data;
}

static inline void uno_staged_end(const struct uno_comm *c) {
    uno_slots_end(c);
}

/* Return the bytes that each rank's block has in a buffer with a piece for each. */
static inline size_t uno_staged_share(const struct uno_comm *c) {
    return UNO_PIECE / (size_t)c->size / 64 * 64;
}

/* Copy a rank's piece to its block, from byte `at` on, cut to `most` bytes and to the block's end. */
static inline void uno_staged_get_by(struct uno_block to, size_t at, const void *piece, size_t most,
                                     uno_copy *copy) {
    if (at < to.size)
        copy(to.bytes + at, piece, uno_least(to.size - at, most));
}

static inline void uno_staged_get(struct uno_block to, size_t at, const void *piece, size_t most) {
    uno_staged_get_by(to, at, piece, most, memcpy);
}

/* Broadcast all bytes from the root to the other ranks. */
void uno_staged_bcast(const struct uno_comm *c, enum uno_op op, char *data, size_t bytes, int root);

/* Write into this rank's buffer, for each other rank, a piece of its block, from byte `at` on, each in
 * `share` bytes. */
void uno_staged_put_each(const struct uno_comm *c, const struct uno_blocks *from, size_t share, size_t at);

/* Copy the piece that rank r has put into its buffer for this rank. */
void uno_staged_get_own(const struct uno_comm *c, int r, struct uno_block to, size_t share, size_t at,
                        uno_copy *copy);

/* Gather blocks, from byte `at` on; the largest block has `most` bytes. Every rank puts `own`, if it is not
 * NULL, and receives the other ranks' blocks in `to`, if that is not NULL. */
void uno_staged_gather(const struct uno_comm *c, enum uno_op op, size_t total, const struct uno_block *own,
                       const struct uno_blocks *to, size_t at, size_t most);

/* Scatter blocks in the same way: `from` has a block for each rank, or is NULL. root: the rank that has them,
 * and `to` then has only its block for this rank; or -1: each rank has blocks. */
void uno_staged_scatter(const struct uno_comm *c, enum uno_op op, size_t total, const struct uno_blocks *from,
                        const struct uno_blocks *to, int root, size_t share, size_t at, size_t most,
                        uno_copy *copy);

#endif
