/* unisono bench vertex: the experiments of the 1987 paper, and messages beside MPI libraries. */

#ifndef BENCH_DRIVER_VERTEX_H
#define BENCH_DRIVER_VERTEX_H

#include <jansson.h>

#include "options.h"

/* Measure messages and the edge detector, and print the tables if `report`. Returns everything. */
json_t *bench_vertex(const struct bench_options *options, bool report);

#endif
