/* The collective operations, with the arguments of MPI's functions. Each returns whether it has done the
 * work; if not, nothing has happened, on any rank, and the host must do it. They do not look for errors: what
 * is not plainly valid they leave to the host, whose errors the program knows. */

#ifndef UNO_COLLECTIVES_H
#define UNO_COLLECTIVES_H

#include <stdbool.h>

#include "accelerator/host/host.h"

/* Counts and displacements of each rank: int, or in the forms for large counts MPI_Count and MPI_Aint. */
struct uno_counts {
    const void *count, *displacement;
    bool large;
};

static inline MPI_Count uno_count_of(const struct uno_counts *c, int r) {
    return c->large ? ((const MPI_Count *)c->count)[r] : ((const int *)c->count)[r];
}

static inline MPI_Aint uno_displacement_of(const struct uno_counts *c, int r) {
    return c->large ? ((const MPI_Aint *)c->displacement)[r] : ((const int *)c->displacement)[r];
}

/* move.c */
bool uno_barrier(MPI_Comm comm);
bool uno_bcast(void *out, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
bool uno_gather(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out, MPI_Count out_count,
                MPI_Datatype out_type, int root, MPI_Comm comm);
bool uno_allgather(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out, MPI_Count out_count,
                   MPI_Datatype out_type, MPI_Comm comm);
bool uno_scatter(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out, MPI_Count out_count,
                 MPI_Datatype out_type, int root, MPI_Comm comm);
bool uno_alltoall(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out, MPI_Count out_count,
                  MPI_Datatype out_type, MPI_Comm comm);

/* vary.c. error: set if the root receives more than it expected. */
bool uno_gatherv(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                 const struct uno_counts *out_counts, MPI_Datatype out_type, int root, MPI_Comm comm,
                 int *error);
bool uno_allgatherv(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                    const struct uno_counts *out_counts, MPI_Datatype out_type, MPI_Comm comm);
bool uno_scatterv(const void *in, const struct uno_counts *in_counts, MPI_Datatype in_type, void *out,
                  MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
bool uno_alltoallv(const void *in, const struct uno_counts *in_counts, MPI_Datatype in_type, void *out,
                   const struct uno_counts *out_counts, MPI_Datatype out_type, MPI_Comm comm);

/* fold.c */
bool uno_reduce(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm);
bool uno_allreduce(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
bool uno_scan(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
bool uno_exscan(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
bool uno_reduce_scatter_block(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm);
bool uno_reduce_scatter(const void *in, void *out, const struct uno_counts *counts, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm);

#endif
