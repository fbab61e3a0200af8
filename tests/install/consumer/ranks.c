/* squares.c as an MPI program: it prints the same line. */

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, ranks, sum;
    unsigned bit, agree;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int square = rank * rank;
    MPI_Allreduce(&square, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    bit = 1u << rank;
    MPI_Reduce(&bit, &agree, 1, MPI_UNSIGNED, MPI_BOR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d PEs: %d, agreed by %#x\n", ranks, sum, agree);
    return MPI_Finalize();
}
