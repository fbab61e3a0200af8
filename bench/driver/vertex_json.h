/* unisono bench vertex: everything as JSON. */

#ifndef BENCH_DRIVER_VERTEX_JSON_H
#define BENCH_DRIVER_VERTEX_JSON_H

#include "vertex_results.h"

json_t *vertex_json(const struct vertex *v);

#endif
