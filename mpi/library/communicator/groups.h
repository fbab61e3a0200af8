#ifndef UNO_MPI_GROUPS_H
#define UNO_MPI_GROUPS_H

#include "library/object/objects.h"

/* Ranks, each as its PE. */
struct uno_mpi_group {
    struct uno_object object;
    int size, rank; /* rank: this PE's, or MPI_UNDEFINED */
    int *pe;
};

static inline struct uno_mpi_group *uno_find_group(MPI_Group group) {
    return group == MPI_GROUP_EMPTY ? uno_rank->empty : uno_object_of((uintptr_t)group, UNO_GROUP);
}

/* A group of these PEs, in the order of their ranks. */
struct uno_mpi_group *uno_group_make(int size, const int *pe);

/* The ranks of one group, and behind them those of another one, which has none of them. */
struct uno_mpi_group *uno_group_chain(const struct uno_mpi_group *a, const struct uno_mpi_group *b);

/* MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
int uno_groups_compare(const struct uno_mpi_group *a, const struct uno_mpi_group *b);

#endif
