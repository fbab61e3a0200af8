/* The clock of the benchmark's programs. */

#ifndef BENCH_SECONDS_H
#define BENCH_SECONDS_H

#include <time.h>

/* Return the time in seconds by a clock that all processes of the machine share; MPI_Wtime may start anew in
 * each of them. */
static inline double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
