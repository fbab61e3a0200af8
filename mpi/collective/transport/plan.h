/* The path of an operation, which is decided only here: by a table of crossovers, by operation and number of
 * ranks, which a user's file overrides row by row; by the permissions of the ranks; and for large blocks by
 * trials. All ranks of a communicator decide alike, since each uses only what all of them know.
 *
 * The bytes that a crossover counts are, by operation: those of the buffer of Bcast, Reduce, Allreduce, Scan
 * and Exscan; of one rank's block in Gather, Allgather, Scatter, Alltoall and Reduce_scatter_block; of all
 * ranks together in Allgatherv and Reduce_scatter; of the largest rank's part in Gatherv, Scatterv and
 * Alltoallv. */

#ifndef UNO_PLAN_H
#define UNO_PLAN_H

#include "collective/comm.h"

enum uno_path {
    UNO_BY_HOST,   /* not here: nothing has happened, and the host does the operation */
    UNO_BY_SLOTS,  /* slots.h */
    UNO_BY_STAGED, /* staged.h */
    UNO_BY_RING,   /* ring.h */
    UNO_BY_DIRECT, /* direct.h */
    UNO_BY_UNIT,   /* unit.h */
};

/* Return true for the paths of blocks that do not fit into a post, among which trials choose. */
static inline bool uno_path_is_large(enum uno_path path) {
    return path == UNO_BY_STAGED || path == UNO_BY_DIRECT;
}

/* The data that a rank puts: one block, or one for each rank. */
enum uno_shape { UNO_ONE_BLOCK, UNO_BLOCK_EACH };

/* ---- once -------------------------------------------------------------------------------------------- */

/* A row of the user's file: operation `op`, on communicators of so many ranks, is done here from `least`
 * bytes on and below `below` bytes. */
struct uno_crossover {
    int op, ranks;
    size_t below, least;
};

/* The host's library: it does the operations that are not done here, and the crossovers were measured against
 * it. */
enum uno_rival { UNO_RIVAL_OPENMPI, UNO_RIVAL_MPICH };

/* Set the plan's tables, the same on all ranks. rows: must stay where they are. everything: do all sizes
 * here. */
void uno_plan_start(enum uno_rival rival, const struct uno_crossover *rows, int count, bool everything);

/* Fill in c->plan. The communicator has its lane already. */
void uno_plan_open(struct uno_comm *c, bool crowded);

/* ---- operations whose sizes every rank knows --------------------------------------------------------- */

/* Return true if an operation of so many bytes is done here. */
static inline bool uno_plan_takes(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    const struct uno_band *band = &c->plan.band[op - UNO_MPI_FIRST];
    return bytes - band->least < band->count;
}

/* As uno_plan, for blocks that do not fit into a post. */
enum uno_path uno_plan_large(const struct uno_comm *c, enum uno_op op, size_t block, enum uno_shape shape);

/* As uno_plan, for what is not done on the boards: by the unit, if that carries so much. */
enum uno_path uno_plan_else(struct uno_comm *c, enum uno_op op, size_t bytes, size_t block,
                            enum uno_shape shape);

/* Return the path of an operation. bytes: as the crossovers count them; block: bytes of a block as it
 * travels. */
static inline enum uno_path uno_plan(struct uno_comm *c, enum uno_op op, size_t bytes, size_t block,
                                     enum uno_shape shape) {
    if (UNO_UNLIKELY(!uno_plan_takes(c, op, bytes)))
        return uno_plan_else(c, op, bytes, block, shape);
    if (block <= c->plan.band[op - UNO_MPI_FIRST].ring)
        return UNO_BY_RING;
    if (UNO_LIKELY((shape == UNO_BLOCK_EACH ? block * (size_t)c->size : block) <= UNO_BYTES))
        return UNO_BY_SLOTS;
    return uno_plan_large(c, op, block, shape);
}

/* All ranks call these around an operation whose path is staged or direct; bytes: those of the largest
 * block. */
void uno_plan_begin(struct uno_comm *c, enum uno_op op);
void uno_plan_end(struct uno_comm *c, enum uno_op op, size_t bytes);

/* ---- operations in which no rank knows all sizes ---------------------------------------------------------
 *
 * The first meeting tells all ranks the sizes, and if the largest block is one for the host, all of them go
 * there. The meeting was then in vain, which suggests that the next operations are alike: they go to the host
 * at once, twice as many each time. */

/* Return true if the operation goes to the host whatever its sizes are. All ranks must call this, since it
 * counts operations. */
bool uno_plan_passes(struct uno_comm *c, enum uno_op op);

/* Return true if a rank's block is so large that the whole operation is the host's. */
bool uno_plan_too_large(const struct uno_comm *c, enum uno_op op, size_t bytes);

/* Return true if a rank with a block of so many bytes sends its first piece along with the size, since it may
 * be needed. */
bool uno_plan_brings(const struct uno_comm *c, enum uno_op op, size_t bytes, enum uno_shape shape);

/* Return the path once all ranks know the largest block: host, staged or direct. */
enum uno_path uno_plan_varied(struct uno_comm *c, enum uno_op op, size_t most, enum uno_shape shape);

/* Return true if the unit is asked first in an operation of a communicator that has one. All ranks must call
 * this, and afterwards uno_plan_unit_took, with the bytes of the largest block. That returns true if the unit
 * carries it. */
bool uno_plan_unit_tries(struct uno_comm *c, enum uno_op op);
bool uno_plan_unit_took(struct uno_comm *c, enum uno_op op, size_t most, enum uno_shape shape);

/* ---- operations of ranks on several nodes ------------------------------------------------------------ */

/* Return true if an operation is done node by node. bytes: what each rank has in the end, or the block of
 * each rank. */
bool uno_plan_hierarchical(const struct uno_comm *c, size_t bytes, enum uno_shape shape);

/* ---- reductions -------------------------------------------------------------------------------------- */

/* Return true if each rank combines a part of the elements for all. piece: bytes of each rank's piece. */
static inline bool uno_plan_shares_work(const struct uno_comm *c, size_t piece) {
    enum { SHARED_WORK = 64 * 1024 }; /* bytes in all, from which on the second meeting pays */
    return c->size > 2 && piece * (size_t)c->size > SHARED_WORK && piece > UNO_BYTES;
}

#endif
