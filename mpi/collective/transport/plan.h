/* Where an operation goes: the one place that decides it. It goes by a table of crossovers, by operation and
 * number of ranks, which a user's file overrides row by row; by what the ranks may do; and for large blocks
 * by trials. All ranks of a communicator decide alike, since each goes by what all of them know.
 *
 * The bytes that a crossover counts are, by operation: those of the buffer of Bcast, Reduce, Allreduce, Scan
 * and Exscan; of one rank's block in Gather, Allgather, Scatter, Alltoall and Reduce_scatter_block; of all
 * ranks together in Allgatherv and Reduce_scatter; of the largest rank's part in Gatherv, Scatterv and
 * Alltoallv. */

#ifndef UNO_PLAN_H
#define UNO_PLAN_H

#include "collective/comm.h"

enum uno_path {
    UNO_BY_HOST,   /* not here: nothing has happened, and whoever serves the program does it otherwise */
    UNO_BY_SLOTS,  /* slots.h */
    UNO_BY_STAGED, /* staged.h */
    UNO_BY_RING,   /* ring.h */
    UNO_BY_DIRECT, /* direct.h */
};

/* What a rank puts: one block, or one for each rank. */
enum uno_shape { UNO_ONE_BLOCK, UNO_BLOCK_EACH };

/* ---- once -------------------------------------------------------------------------------------------- */

/* A row of the user's: of operation `op`, on communicators of so many ranks, what has fewer than `below`
 * bytes is done here, from `least` bytes on. */
struct uno_crossover {
    int op, ranks;
    size_t below, least;
};

/* What does the operations that are not done here, and against which they were measured. */
enum uno_rival { UNO_RIVAL_OPENMPI, UNO_RIVAL_MPICH };

/* The same on all ranks; rows: kept. everything: done here whatever its size is. */
void uno_plan_start(enum uno_rival rival, const struct uno_crossover *rows, int count, bool everything);

/* Fill in c->plan, whose lane it has. */
void uno_plan_open(struct uno_comm *c, bool crowded);

/* ---- operations whose sizes every rank knows --------------------------------------------------------- */

/* Whether an operation of so many bytes is done here at all. */
static inline bool uno_plan_takes(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    const struct uno_band *band = &c->plan.band[op - UNO_MPI_FIRST];
    return bytes - band->least < band->count;
}

/* The same for blocks that do not fit into a post. */
enum uno_path uno_plan_large(const struct uno_comm *c, enum uno_op op, size_t block, enum uno_shape shape);

/* The path of an operation. bytes: as the crossovers count them; block: bytes of a block as it travels. */
static inline enum uno_path uno_plan(const struct uno_comm *c, enum uno_op op, size_t bytes, size_t block,
                                     enum uno_shape shape) {
    if (UNO_UNLIKELY(!uno_plan_takes(c, op, bytes)))
        return UNO_BY_HOST;
    if (block <= c->plan.band[op - UNO_MPI_FIRST].ring)
        return UNO_BY_RING;
    if (UNO_LIKELY((shape == UNO_BLOCK_EACH ? block * (size_t)c->size : block) <= UNO_BYTES))
        return UNO_BY_SLOTS;
    return uno_plan_large(c, op, block, shape);
}

/* Around an operation whose path is staged or direct, by all ranks; at the end with the bytes of the largest
 * block. */
void uno_plan_begin(struct uno_comm *c, enum uno_op op);
void uno_plan_end(struct uno_comm *c, enum uno_op op, size_t bytes);

/* ---- operations in which no rank knows all sizes ---------------------------------------------------------
 *
 * The first meeting brings the sizes along, and if the largest block is one for the host, everyone sees it
 * and goes there. That has cost a meeting for nothing, so it is a sign that the next ones are alike: they go
 * to the host at once, twice as many each time. */

/* Whether the operation is the host's whatever its sizes are. To be called by all ranks, for they count. */
bool uno_plan_passes(struct uno_comm *c, enum uno_op op);

/* Whether a rank's block is so large that none of its operation is done here. */
bool uno_plan_too_large(const struct uno_comm *c, enum uno_op op, size_t bytes);

/* Whether a rank with a block of so many bytes brings its first piece along with the size: it may be needed.
 */
bool uno_plan_brings(const struct uno_comm *c, enum uno_op op, size_t bytes, enum uno_shape shape);

/* The path, when all know the largest block: host, staged or direct. */
enum uno_path uno_plan_varied(struct uno_comm *c, enum uno_op op, size_t most, enum uno_shape shape);

/* ---- operations of ranks on several nodes ------------------------------------------------------------ */

/* Whether an operation, in which each rank in the end has so many bytes, or a block of so many of each rank,
 * is done node by node. */
bool uno_plan_hierarchical(const struct uno_comm *c, size_t bytes, enum uno_shape shape);

/* ---- reductions -------------------------------------------------------------------------------------- */

/* Whether each rank combines a part of the elements for all: of a piece of so many bytes of each rank. */
static inline bool uno_plan_shares_work(const struct uno_comm *c, size_t piece) {
    enum { SHARED_WORK = 64 * 1024 }; /* bytes in all, from which on the second meeting pays */
    return c->size > 2 && piece * (size_t)c->size > SHARED_WORK && piece > UNO_BYTES;
}

#endif
