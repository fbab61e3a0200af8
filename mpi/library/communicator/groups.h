#ifndef UNO_MPI_GROUPS_H
#define UNO_MPI_GROUPS_H

#include "library/object/objects.h"

/* A group: its ranks, each given by its PE. */
struct uno_mpi_group {
    struct uno_object object;
    int size, rank; /* rank: this PE's, or MPI_UNDEFINED */
    int *pe;
};

static inline struct uno_mpi_group *uno_find_group(MPI_Group group) {
    return group == MPI_GROUP_EMPTY ? uno_rank->empty : uno_object_of((uintptr_t)group, UNO_GROUP);
}

/* Make a group of these PEs, in the order of their ranks. */
struct uno_mpi_group *uno_group_make(int size, const int *pe);

/* Make a group of the ranks of one group, followed by those of another, disjoint one. */
struct uno_mpi_group *uno_group_chain(const struct uno_mpi_group *a, const struct uno_mpi_group *b);

/* Compare two groups. Returns MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
int uno_groups_compare(const struct uno_mpi_group *a, const struct uno_mpi_group *b);

#endif
