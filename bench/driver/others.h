/* unisono bench: the work of other programs during a measurement, which disturbs its samples. */

#ifndef BENCH_DRIVER_OTHERS_H
#define BENCH_DRIVER_OTHERS_H

#include "results.h"

/* A moment of a measurement: the clock, and the seconds of processors that everybody, and this bench with its
 * sides, has used until then. */
struct bench_moment {
    double now, all, own;
};

struct bench_moment bench_moment(const struct bench *b);

/* Return how many of the processors that this bench may use others have used since then, on average; 0: the
 * system does not tell. */
double bench_others(const struct bench *b, const struct bench_moment *since);

/* Warn, in a line of the report, of what others have used while these PEs were measured, if that disturbs
 * samples. more: sentences that follow, with a blank before each. */
void bench_warn(const struct bench *b, int count, const char *more);

#endif
