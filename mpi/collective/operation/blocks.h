/* Gathering and scattering of blocks that do not fit into posts, equal or not, by the planned path. */

#ifndef UNO_BLOCKS_H
#define UNO_BLOCKS_H

#include "collective/data.h"
#include "collective/transport/block.h"
#include "collective/transport/direct.h"
#include "collective/transport/plan.h"

/* As uno_staged_gather, from byte `at` of the blocks on; if the path is direct, all of them. */
void uno_blocks_gather(struct uno_comm *c, enum uno_op op, enum uno_path path, size_t total,
                       const struct uno_block *own, const struct uno_blocks *to, size_t at, size_t most);

/* As uno_staged_scatter, and with this rank's block for itself: for equal blocks, or for blocks of any size,
 * of which the first `share` bytes are there already if the path is staged. from and to may lie in the same
 * place. */
void uno_blocks_scatter_equal(struct uno_comm *c, enum uno_op op, enum uno_path path,
                              const struct uno_blocks *from, const struct uno_blocks *to, int root,
                              size_t bytes);
void uno_blocks_scatter_any(struct uno_comm *c, enum uno_op op, enum uno_path path,
                            const struct uno_blocks *from, const struct uno_blocks *to, int root,
                            size_t most);

/* Complete a receiver whose other blocks are in `all`, each of `count` elements and `bytes` bytes. own: the
 * bytes of its own block, or NULL if they are in place. */
void uno_blocks_finish(const struct uno_comm *c, const struct uno_view *all, const char *own, size_t count,
                       size_t bytes);

/* One block for each rank, of different numbers of elements, as packed bytes. */
struct uno_parts {
    struct uno_blocks blocks;
    void *memory; /* the copies of the blocks, or NULL */
    const struct uno_varied *data;
};

/* Describe n blocks in `of`; blocks that are copies are not filled in yet. */
struct uno_parts uno_parts_open(struct uno_block *of, int n, const struct uno_varied *data);

/* Fill in a block that is a copy; or unpack it to the program's memory. */
void uno_parts_pack(const struct uno_parts *p, int r);
void uno_parts_unpack(const struct uno_parts *p, int r);

/* Return the size of the largest of the blocks of n ranks. */
size_t uno_parts_largest(const struct uno_parts *p, int n);

/* Return the greatest number that a rank put as the first word of its data. */
size_t uno_parts_greatest(const struct uno_comm *c, const void *const *data);

/* Scatter blocks whose sizes no rank knows. from: the blocks for all ranks, or NULL; root: the rank that has
 * them, or -1: each has. to: this rank's blocks, from the root one, or NULL; its own is among them. False:
 * the operation is the host's. */
bool uno_parts_scatter(struct uno_comm *c, enum uno_op op, const struct uno_parts *from,
                       const struct uno_blocks *to, int root);

#endif
