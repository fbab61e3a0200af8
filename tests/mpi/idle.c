/* Ranks that wait in a collective operation for one that computes. How often they wake meanwhile, and
 * interrupt all processors by a fence (the processor time is printed, and depends on the machine); and how
 * soon a message goes to one of them that only its own MPI library can take in, which it must call for that.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../waking.h"

enum { TRIES = 4, FENCES = 3, WAKES = 200, SECONDS = 1, BYTES = 4 << 20 };

#define GREATEST_DELAY 0.25

/* of which the least of any try is kept */
enum { SHARE, WOKEN, FENCED, DELAY, COUNT };

static void try(int me, double *figures) {
    static char data[BYTES];
    MPI_Request request;
    if (me == 1)
        MPI_Irecv(data, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    struct waking before = waking_now();
    if (me == 0)
        sleep(SECONDS);
    MPI_Barrier(MPI_COMM_WORLD);
    struct waking spent = waking_since(&before);
    figures[SHARE] = me ? spent.seconds / SECONDS : 0;
    figures[WOKEN] = me ? (double)spent.wakes : 0;
    figures[FENCED] = me ? (double)spent.fences : 0;
    figures[DELAY] = 0;
    if (me == 0) {
        sleep(SECONDS);
        figures[DELAY] = -MPI_Wtime();
        MPI_Send(data, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        figures[DELAY] += MPI_Wtime();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    double least[COUNT] = {1e9, 1e9, 1e9, 1e9};
    static const double greatest[COUNT] = {1, WAKES, FENCES, GREATEST_DELAY};
    int me, good = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = 0; i < TRIES && !good; i++) {
        double own[COUNT], all[COUNT];
        try(me, own);
        MPI_Allreduce(own, all, COUNT, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        good = 1;
        for (int f = 0; f < COUNT; f++) {
            least[f] = all[f] < least[f] ? all[f] : least[f];
            good &= least[f] <= greatest[f];
        }
    }
    if (me == 0)
        printf(
            "ranks that wait: %.3f%% of a processor, %g wakes, %g fences in %d s at most; %d bytes to one of "
            "them in %.3f ms\n",
            100 * least[SHARE], least[WOKEN], least[FENCED], SECONDS, BYTES, 1e3 * least[DELAY]);
    MPI_Finalize();
    return !good;
}
