/* script/bench-limits: what waiting long costs, and how soon it ends. */

#ifndef BENCH_DRIVER_LATE_H
#define BENCH_DRIVER_LATE_H

#include "driver/results.h"

/* Of one side: the PEs wait for the last one, which comes late. */
struct late {
    bool measured;
    double wake;  /* ns from when the last PE enters until another leaves, median */
    double share; /* of a processor, that the PEs that wait use at most */
};

/* Have the last PE of the side come so many seconds late to each of `count` operations p_wait (cell 0). */
struct late late_measure(const struct bench *b, struct side *side, double seconds, int count);

#endif
