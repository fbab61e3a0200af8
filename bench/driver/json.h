/* unisono bench: everything as JSON. */

#ifndef BENCH_DRIVER_JSON_H
#define BENCH_DRIVER_JSON_H

#include "results.h"

json_t *bench_json(const struct bench *b);

#endif
