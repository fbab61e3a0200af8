/* A number goes round all ranks, each of which waits for it in one way: what script/bench-library ring runs
 * under every library. Arguments: how a rank waits (recv, iprobe, test), rounds in a turn, turns. Rank 0
 * writes the seconds of a round, the median of all turns. Every rank checks every number. */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, ranks, left, right;

static void sure(int correct, const char *what) {
    if (!correct) {
        fprintf(stderr, "rank %d: %s\n", me, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void by_recv(uint64_t *number) {
    MPI_Recv(number, 1, MPI_UINT64_T, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void by_iprobe(uint64_t *number) {
    for (int there = 0; !there;)
        MPI_Iprobe(left, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    by_recv(number);
}

static void by_test(uint64_t *number) {
    MPI_Request request;
    MPI_Irecv(number, 1, MPI_UINT64_T, left, 0, MPI_COMM_WORLD, &request);
    for (int done = 0; !done;)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*receive)(uint64_t *number);
} ways[] = {{"recv", by_recv}, {"iprobe", by_iprobe}, {"test", by_test}};

static void go_round(void (*receive)(uint64_t *number), uint64_t round) {
    uint64_t number = round;
    if (me == 0)
        MPI_Send(&number, 1, MPI_UINT64_T, right, 0, MPI_COMM_WORLD);
    receive(&number);
    sure(number == round + (uint64_t)(me == 0 ? ranks - 1 : me - 1), "a number is not the one that was sent");
    number++;
    if (me != 0)
        MPI_Send(&number, 1, MPI_UINT64_T, right, 0, MPI_COMM_WORLD);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    size_t which = 0, count = sizeof ways / sizeof ways[0];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    left = (me + ranks - 1) % ranks;
    right = (me + 1) % ranks;
    sure(argc == 4 && ranks > 1,
         "there are three arguments, the way, rounds and turns, and at least two ranks");
    while (which < count && strcmp(ways[which].name, argv[1]) != 0)
        which++;
    long rounds = strtol(argv[2], NULL, 10), turns = strtol(argv[3], NULL, 10);
    sure(which < count && rounds > 0 && turns > 0, "no such way, or no rounds or turns");
    double *seconds = calloc((size_t)turns, sizeof *seconds);
    sure(seconds != NULL, "out of memory");
    for (long t = -1; t < turns; t++) { /* the first warms up */
        MPI_Barrier(MPI_COMM_WORLD);
        double began = MPI_Wtime();
        for (long i = 0; i < rounds; i++)
            go_round(ways[which].receive, (uint64_t)(t + 1) * (uint64_t)rounds * 1000 + (uint64_t)i);
        if (t >= 0)
            seconds[t] = (MPI_Wtime() - began) / (double)rounds;
    }
    qsort(seconds, (size_t)turns, sizeof *seconds, compare);
    if (me == 0)
        printf("%.12f\n", seconds[turns / 2]);
    free(seconds);
    MPI_Finalize();
    return 0;
}
