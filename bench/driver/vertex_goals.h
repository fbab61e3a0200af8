/* unisono bench vertex: the goals. */

#ifndef BENCH_DRIVER_VERTEX_GOALS_H
#define BENCH_DRIVER_VERTEX_GOALS_H

#include "vertex_results.h"

void vertex_goals(struct vertex *v);

#endif
