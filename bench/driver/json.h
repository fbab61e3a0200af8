/* unisono bench: everything as JSON. */

#ifndef BENCH_DRIVER_JSON_H
#define BENCH_DRIVER_JSON_H

#include "goals.h"

json_t *bench_json(const struct bench *b);

/* Several benches as one, the last of which NULL follows: what the first one has, the results and ratios of
 * all, the goals, and how the processors were placed. */
json_t *bench_json_all(const struct bench *const *benches, const struct limits *l);

#endif
