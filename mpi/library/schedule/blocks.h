/* Blocks of a call: for each rank, or each neighbour, so many elements of a type somewhere in memory. */

#ifndef UNO_MPI_BLOCKS_H
#define UNO_MPI_BLOCKS_H

#include "library/schedule/schedule.h"

struct uno_blocks {
    void *at;
    MPI_Count count;                          /* of each block; or */
    struct uno_numbers counts, displacements; /* of each its own, in extents, unless each has its own type: */
    const MPI_Datatype *types;                /* then displacements are in bytes; NULL: they have not */
    struct uno_mpi_type *type;
};

/* Each as large as the others, one behind the other. */
static inline struct uno_blocks uno_blocks_even(const void *at, MPI_Count count, struct uno_mpi_type *type) {
    return (struct uno_blocks){.at = (void *)at, .count = count, .type = type};
}

static inline struct uno_blocks uno_blocks_varied(const void *at, struct uno_numbers counts,
                                                  struct uno_numbers displacements,
                                                  struct uno_mpi_type *type) {
    return (struct uno_blocks){
        .at = (void *)at, .counts = counts, .displacements = displacements, .type = type};
}

static inline struct uno_blocks uno_blocks_typed(const void *at, struct uno_numbers counts,
                                                 struct uno_numbers displacements,
                                                 const MPI_Datatype *types) {
    return (struct uno_blocks){
        .at = (void *)at, .counts = counts, .displacements = displacements, .types = types};
}

/* Look at `n` of them, and keep what the schedule will need; name: "send". */
int uno_blocks_check(struct uno_schedule *s, const char *name, const struct uno_blocks *blocks, int n);

/* Block i, whose type is one that has been looked at. */
struct uno_data uno_block(const struct uno_blocks *blocks, int i);

#endif
