/* Blocks that do not fit into posts, equal or not: gathered and scattered by the path that was planned. */

#ifndef UNO_BLOCKS_H
#define UNO_BLOCKS_H

#include "collective/data.h"
#include "collective/transport/block.h"
#include "collective/transport/direct.h"
#include "collective/transport/plan.h"

/* As uno_staged_gather: from byte `at` of the blocks on, but all of them if the path is direct. */
void uno_blocks_gather(struct uno_comm *c, enum uno_op op, enum uno_path path, size_t total,
                       const struct uno_block *own, const struct uno_blocks *to, size_t at, size_t most);

/* As uno_staged_scatter, with this rank's block for itself: all of equal blocks, or those of any size, of
 * which the first `share` bytes are there already if the path is staged. from and to may lie in the same
 * place. */
void uno_blocks_scatter_equal(struct uno_comm *c, enum uno_op op, enum uno_path path,
                              const struct uno_blocks *from, const struct uno_blocks *to, int root,
                              size_t bytes);
void uno_blocks_scatter_any(struct uno_comm *c, enum uno_op op, enum uno_path path,
                            const struct uno_blocks *from, const struct uno_blocks *to, int root,
                            size_t most);

/* What a receiver does when the blocks of the others are in `all`, `count` elements and so many bytes each.
 * own: the bytes of its own, or NULL, if they are in place. */
void uno_blocks_finish(const struct uno_comm *c, const struct uno_view *all, const char *own, size_t count,
                       size_t bytes);

/* Elements of different numbers, one block for each rank, as packed bytes. */
struct uno_parts {
    struct uno_blocks blocks;
    void *memory; /* copies of them, or NULL */
    const struct uno_varied *data;
};

/* n blocks, not filled in yet if they are copies; of: room for them. */
struct uno_parts uno_parts_open(struct uno_block *of, int n, const struct uno_varied *data);

/* Fill in a block that is a copy, or give the program what is in it. */
void uno_parts_pack(const struct uno_parts *p, int r);
void uno_parts_unpack(const struct uno_parts *p, int r);

/* The largest of the blocks that n ranks have. */
size_t uno_parts_largest(const struct uno_parts *p, int n);

/* The greatest number that a rank put as the first of its data. */
size_t uno_parts_greatest(const struct uno_comm *c, const void *const *data);

/* Blocks whose sizes no rank knows. from: those for all ranks, or NULL; root: the rank that has them, or -1:
 * each has. to: those that this rank gets, from the root one, or NULL; its own is among them. False: they are
 * for the host. */
bool uno_parts_scatter(struct uno_comm *c, enum uno_op op, const struct uno_parts *from,
                       const struct uno_blocks *to, int root);

#endif
