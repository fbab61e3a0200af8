#include <mpi.h>

#include "talk.h"

void talk_open(int *argc, char ***argv) {
    MPI_Init(argc, argv);
}

void talk_close(void) {
    MPI_Finalize();
}

int talk_me(void) {
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    return me;
}

int talk_pes(void) {
    int n;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
}

void talk_send(int to, const void *data, int words) {
    MPI_Send(data, words, MPI_UINT32_T, to, 0, MPI_COMM_WORLD);
}

void talk_receive(int from, void *data, int words) {
    MPI_Recv(data, words, MPI_UINT32_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void talk_broadcast(void *data, int words) {
    MPI_Bcast(data, words, MPI_UINT32_T, 0, MPI_COMM_WORLD);
}

void talk_scatter(const void *all, void *mine, int share) {
    MPI_Scatter(all, share, MPI_UINT32_T, mine, share, MPI_UINT32_T, 0, MPI_COMM_WORLD);
}

void talk_gather(const void *mine, void *all, int share) {
    MPI_Gather(mine, share, MPI_UINT32_T, all, share, MPI_UINT32_T, 0, MPI_COMM_WORLD);
}

double talk_sum(double mine) {
    double sum = mine;
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum;
}
