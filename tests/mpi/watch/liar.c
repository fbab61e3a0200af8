/* A host whose MPI_Allreduce is wrong on one rank: for --check to find. Preloaded behind the accelerator. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int PMPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    int (*real)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Allreduce");
    int rank, result = real(in, out, count, type, op, comm);
    PMPI_Comm_rank(comm, &rank);
    if (type == MPI_INT && count == 7 && rank == 1)
        ((int *)out)[5]++;
    return result;
}
