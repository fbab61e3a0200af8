/* script/bench-limits: the cost of a long wait, and the delay at its end. */

#ifndef BENCH_DRIVER_LATE_H
#define BENCH_DRIVER_LATE_H

#include "driver/results.h"

/* The measurement of one side, whose PEs wait for the last one, which comes late. */
struct late {
    bool measured;
    double wake;  /* ns from when the last PE enters until another leaves, median */
    double share; /* the largest share of a processor that the waiting PEs use */
};

/* Let the last PE of the side come so many seconds late to each of `count` operations p_wait (cell 0), and
 * measure. */
struct late late_measure(const struct bench *b, struct side *side, double seconds, int count);

#endif
