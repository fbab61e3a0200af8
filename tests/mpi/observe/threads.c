/* Threads of each rank call at the same time, for the truth about the numbers of their calls (counts.c). */

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 2000 };

static int me, n;

/* Exchange with the neighbours in a ring by messages of this thread's tag. */
static void *exchange(void *argument) {
    int tag = *(int *)argument, in[8], out[8] = {0}, sum;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request[2];
        MPI_Irecv(in, 8, MPI_INT, (me + n - 1) % n, tag, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(out, i % 8, MPI_INT, (me + 1) % n, tag, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        if (tag == 0 && i % 64 == 0)
            MPI_Allreduce(out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread[THREADS];
    int provided, tag[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "several threads must not call at the same time\n");
        return 77;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < THREADS; i++) {
        tag[i] = i;
        pthread_create(&thread[i], NULL, exchange, &tag[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return MPI_Finalize();
}
