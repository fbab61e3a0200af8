/* unisono bench --limits: the goals that Unisono has set itself. */

#ifndef BENCH_DRIVER_LIMITS_H
#define BENCH_DRIVER_LIMITS_H

#include <jansson.h>

#include "driver/options.h"

/* Measure what the goals are about, and print them as a table if `report`. Returns everything. */
json_t *bench_limits(const struct bench_options *options, bool report);

#endif
