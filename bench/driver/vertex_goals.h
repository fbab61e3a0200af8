/* unisono bench vertex: the goals. */

#ifndef BENCH_DRIVER_VERTEX_GOALS_H
#define BENCH_DRIVER_VERTEX_GOALS_H

#include "vertex_results.h"

void vertex_goals(struct vertex *v);

/* Tell whether the two processors shared a core in each round, by the bare exchange of 8 bytes, there and
 * back: of a bench whose first number of PEs is 2, and that has the ring of 8 bytes. */
void vertex_tell_mode(struct limits *l, const struct bench *b);

#endif
