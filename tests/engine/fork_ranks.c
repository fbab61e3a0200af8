/* The test of fork.c for a rank of an MPI program. */

#include "child.h"
#include "mpi_check.h"

static void nothing(void) {}

static void sends(void) {
    int data = 1;
    MPI_Send(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
}

static void meets(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void begins(void) {
    MPI_Init(NULL, NULL);
}

static void ends(void) {
    MPI_Finalize();
}

int main(int argc, char **argv) {
    int rank, sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        CHECK(others_are_left_alone(nothing));
        CHECK(is_refused(sends, "MPI_Send") && is_refused(meets, "MPI_Barrier"));
        CHECK(is_refused(begins, "MPI_Init") && is_refused(ends, "MPI_Finalize"));
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == 2);
    MPI_Finalize();
    return 0;
}
