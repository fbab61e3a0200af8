/* Known calls, for the profile and the comparison with the host. */

#include <mpi.h>
#include <stdlib.h>

enum { BARRIERS = 5, SUMS = 7, LARGE = 3000000 };

int main(int argc, char **argv) {
    int rank, size, out[7], in[7] = {1, 2, 3, 4, 5, 6, 7};
    double real = 1, sum;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
    for (int i = 0; i < BARRIERS; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < SUMS; i++)
        MPI_Allreduce(&real, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
    MPI_Allreduce(in, out, 7, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(out, 0, MPI_INT, 0, MPI_COMM_WORLD);
    double *large = calloc(2 * LARGE, sizeof *large);
    MPI_Allreduce(large, large + LARGE, LARGE, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(large);
    if (rank == 0)
        MPI_Send(in, 7, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
    if (rank == size - 1)
        MPI_Recv(out, 7, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
