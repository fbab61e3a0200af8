/* unisono bench: the sides' programs: where they are, their start and their end. */

#ifndef BENCH_DRIVER_SIDES_H
#define BENCH_DRIVER_SIDES_H

#include "results.h"

/* Find the workers; --peers says which peers. */
void bench_sides_find(struct bench *b);

/* Start every side with n PEs. A peer that does not start is left out, with a warning, unless it was named.
 * Sides that run when this program ends are killed. */
void bench_sides_start(struct bench *b, int n);

/* End them in an orderly way. */
void bench_sides_stop(struct bench *b);

/* End them now, and all other processes that this one has started. */
void bench_sides_kill(struct bench *b);

/* A side has broken off: say so, with what it printed. */
_Noreturn void bench_side_failed(struct side *side, const char *when);

#endif
