/* A solver on a mesh, run by all ranks. Arguments: the size of the mesh, iterations in a turn, turns, and
 * "alone" to leave communication out. Rank 0 writes JSON: the seconds of one iteration in each turn, from the
 * first rank's beginning to the last one's end; the switches of processes in one iteration, all ranks
 * together; and the residual. Every rank compares its part with a serial run after every turn. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "rank.h"
#include "solver.h"
#include "../../seconds.h"

static double switches(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_nvcsw + usage.ru_nivcsw);
}

/* Run one turn. Returns the seconds of an iteration; adds its switches. */
static double turn(long iterations, double *switched, double *residual) {
    double times[2], all[2], before;
    solver_begin();
    MPI_Barrier(MPI_COMM_WORLD);
    before = switches();
    times[0] = -seconds_now();
    *residual = solver_run(iterations);
    times[1] = seconds_now();
    *switched += switches() - before;
    MPI_Allreduce(times, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (!alone && !solver_is_right(*residual)) {
        fprintf(stderr, "rank %d of %d: the result is not that of the serial program\n", me, ranks);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return (all[0] + all[1]) / (double)iterations;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long size = argc > 1 ? atol(argv[1]) : 0, iterations = argc > 2 ? atol(argv[2]) : 0,
         turns = argc > 3 ? atol(argv[3]) : 0;
    alone = argc > 4 && !strcmp(argv[4], "alone");
    if (size < 1 || iterations < 1 || turns < 1 || argc > 4 + alone) {
        fprintf(stderr, "arguments: SIZE ITERATIONS TURNS [alone]\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    solver_make(size);
    solver_expect(iterations);
    double *seconds = room(turns, sizeof *seconds), switched = 0, all = 0, residual;
    turn(iterations, &switched, &residual); /* warms up */
    switched = 0;
    for (long t = 0; t < turns; t++)
        seconds[t] = turn(iterations, &switched, &residual);
    MPI_Reduce(&switched, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) {
        printf("{\"seconds\": [");
        for (long t = 0; t < turns; t++)
            printf("%s%.9f", t ? ", " : "", seconds[t]);
        printf("], \"switches\": %.3f, \"residual\": %.17g}\n", all / (double)(turns * iterations), residual);
    }
    free(seconds);
    MPI_Finalize();
    return 0;
}
