/* collective FUNCTION BYTES COUNT: every rank calls the collective of MPI so often and no other, so that the
 * port operations of one call can be told from two runs. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512, RANKS = 16 };

static char in[MOST], out[MOST * RANKS];

static void call(const char *name, int bytes) {
    if (strcmp(name, "MPI_Barrier") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (strcmp(name, "MPI_Bcast") == 0)
        MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (strcmp(name, "MPI_Allgather") == 0)
        MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
    else
        MPI_Allreduce(in, out, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int bytes = argc > 2 ? atoi(argv[2]) : 0;
    if (argc != 4 || bytes < 0 || bytes > MOST) {
        fprintf(stderr, "usage: collective FUNCTION BYTES COUNT\n");
        return EXIT_FAILURE;
    }
    MPI_Init(NULL, NULL);
    for (int i = atoi(argv[3]); i > 0; i--)
        call(argv[1], bytes);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
