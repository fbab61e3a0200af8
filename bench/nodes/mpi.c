/* An MPI library. */

#include "library.h"

#include <mpi.h>
#include <stdio.h>

void library_begin(int *me, int *count) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, me);
    MPI_Comm_size(MPI_COMM_WORLD, count);
}

void library_wait(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

int64_t library_sum(int64_t number) {
    int64_t sum;
    MPI_Allreduce(&number, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

void library_send(const void *data, size_t bytes, int to) {
    MPI_Send(data, (int)bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

void library_receive(void *data, size_t bytes, int from) {
    MPI_Recv(data, (int)bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void library_end(void) {
    MPI_Finalize();
}

void library_fail(const char *what) {
    fprintf(stderr, "bench-nodes: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
