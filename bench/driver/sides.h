/* unisono bench: the programs of the sides: their paths, their start and their end. */

#ifndef BENCH_DRIVER_SIDES_H
#define BENCH_DRIVER_SIDES_H

#include "results.h"

/* Find the workers; --peers chooses the peers. */
void bench_sides_find(struct bench *b);

/* Start every side with n PEs. A peer that does not start is left out, with a warning, unless it was named.
 * Sides that run when this program ends are killed. */
void bench_sides_start(struct bench *b, int n);

/* End the sides in an orderly way. */
void bench_sides_stop(struct bench *b);

/* Kill the sides, and all other processes that this one has started. */
void bench_sides_kill(struct bench *b);

/* Report that a side has broken off, with its output, and end the program. */
_Noreturn void bench_side_failed(struct side *side, const char *when);

#endif
