/* Calls MPI_Allreduce as liar.c expects it. */

#include <mpi.h>

int main(int argc, char **argv) {
    int in[7] = {1, 2, 3, 4, 5, 6, 7}, out[7];
    MPI_Init(&argc, &argv);
    MPI_Allreduce(in, out, 7, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
