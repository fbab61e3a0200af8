/* Preloaded in place of an accelerator: MPI_Allreduce and MPI_Bcast as the host's, but one byte of what
 * arrives is wrong at rank 1. */

#include <mpi.h>

static void spoil(void *buffer, MPI_Comm comm) {
    int me;
    PMPI_Comm_rank(comm, &me);
    if (me == 1)
        *(unsigned char *)buffer ^= 4;
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    int error = PMPI_Allreduce(in, out, count, type, op, comm);
    spoil(out, comm);
    return error;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    int error = PMPI_Bcast(buffer, count, type, root, comm);
    spoil(buffer, comm);
    return error;
}
