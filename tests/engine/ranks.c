/* 2 ranks of an MPI program do the most common operations: messages of all lengths, posted and not, and
 * collectives. */

#include <string.h>

#include "mpi_check.h"

enum { MOST = 2 << 20, TAG = 3 };

static void exchange(int rank, char *out, char *in, int bytes) {
    MPI_Request request;
    MPI_Status status;
    int count, peer = !rank;
    memset(out, rank + bytes % 100, (size_t)bytes);
    MPI_Irecv(in, bytes, MPI_CHAR, peer, TAG, MPI_COMM_WORLD, &request);
    MPI_Send(out, bytes, MPI_CHAR, peer, TAG, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    CHECK(count == bytes && in[0] == peer + bytes % 100 && in[bytes - 1] == peer + bytes % 100);
    MPI_Sendrecv(out, bytes, MPI_CHAR, peer, TAG, in, bytes, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == peer && in[bytes - 1] == peer + bytes % 100);
}

static void collect(int rank, int n) {
    double *mine = malloc((size_t)n * sizeof *mine), *all = malloc(2 * (size_t)n * sizeof *all);
    CHECK(mine && all);
    for (int i = 0; i < n; i++)
        mine[i] = rank + i;
    MPI_Allreduce(mine, all, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all[0] == 1 && all[n - 1] == 2 * n - 1);
    MPI_Allgather(mine, n, MPI_DOUBLE, all, n, MPI_DOUBLE, MPI_COMM_WORLD);
    CHECK(all[0] == 0 && all[2 * n - 1] == n);
    MPI_Request request;
    MPI_Ibcast(all, n, MPI_DOUBLE, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(all[0] == 0 && all[n - 1] == n - 1);
    MPI_Alltoall(mine, n / 2, MPI_DOUBLE, all, n / 2, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    free(mine);
    free(all);
}

int main(int argc, char **argv) {
    int rank, ranks;
    char *out = malloc(MOST), *in = malloc(MOST);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CHECK(ranks == 2 && out && in);
    for (int bytes = 8; bytes <= MOST; bytes = 3 * bytes + 8)
        exchange(rank, out, in, bytes);
    for (int n = 2; n <= 1 << 16; n *= 8)
        collect(rank, n);
    MPI_Finalize();
    free(out);
    free(in);
    return 0;
}
