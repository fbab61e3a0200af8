/* Rounds with known messages: `rounds ROUNDS LATE MS`. In each, every rank sends 1000 bytes to the next one,
 * and rank LATE comes MS milliseconds late to a barrier. */

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
    int rank, n, rounds = argc > 1 ? atoi(argv[1]) : 5, late = argc > 2 ? atoi(argv[2]) : -1;
    struct timespec pause = {0, (argc > 3 ? atol(argv[3]) : 0) * 1000000};
    char out[1000] = "", in[1000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < rounds; i++) {
        MPI_Sendrecv(out, sizeof out, MPI_BYTE, (rank + 1) % n, 0, in, sizeof in, MPI_BYTE,
                     (rank + n - 1) % n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == late)
            nanosleep(&pause, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
