/* Blocks of a call: for each rank, or each neighbour, so many elements of a type somewhere in memory. */

#ifndef UNO_MPI_BLOCKS_H
#define UNO_MPI_BLOCKS_H

#include "library/schedule/schedule.h"

struct uno_mpi_blocks {
    void *at;
    bool varied;                              /* each block has a count and a displacement of its own; */
    MPI_Count count;                          /* that of each, if not */
    struct uno_numbers counts, displacements; /* in extents, unless each has its own type, too: */
    const char *places;                       /* the name of the displacements in the call */
    bool typed;                               /* then displacements are in bytes */
    const MPI_Datatype *types;
    struct uno_mpi_type *type; /* of all, if not */
};

/* Blocks of equal size, one after the other. */
static inline struct uno_mpi_blocks uno_blocks_even(const void *at, MPI_Count count,
                                                    struct uno_mpi_type *type) {
    return (struct uno_mpi_blocks){.at = (void *)at, .count = count, .type = type};
}

static inline struct uno_mpi_blocks uno_blocks_varied(const void *at, struct uno_numbers counts,
                                                      const char *places, struct uno_numbers displacements,
                                                      struct uno_mpi_type *type) {
    return (struct uno_mpi_blocks){.at = (void *)at,
                                   .varied = true,
                                   .counts = counts,
                                   .places = places,
                                   .displacements = displacements,
                                   .type = type};
}

static inline struct uno_mpi_blocks uno_blocks_typed(const void *at, struct uno_numbers counts,
                                                     const char *places, struct uno_numbers displacements,
                                                     const MPI_Datatype *types) {
    return (struct uno_mpi_blocks){.at = (void *)at,
                                   .varied = true,
                                   .typed = true,
                                   .counts = counts,
                                   .places = places,
                                   .displacements = displacements,
                                   .types = types};
}

/* Look at `n` of them, and keep what the schedule will need; name: "send". */
int uno_blocks_check(struct uno_schedule *s, const char *name, const struct uno_mpi_blocks *blocks, int n);

/* Check that `one` is not where block i lies, which is the same rank's. */
int uno_block_check(const struct uno_data *one, const struct uno_mpi_blocks *blocks, int i);

/* Block i, whose type is one that has been looked at. */
struct uno_data uno_block(const struct uno_mpi_blocks *blocks, int i);

#endif
