/* MPI_Init to MPI_Finalize, and nothing between but a look at the number of ranks, which is the argument. */

#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 2 || ranks != atoi(argv[1]))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
