/* unisono bench: everything as JSON. */

#ifndef BENCH_DRIVER_JSON_H
#define BENCH_DRIVER_JSON_H

#include "goals.h"

json_t *bench_json(const struct bench *b);

/* Write several benches as one, with NULL after the last: the description of the first one, the results and
 * ratios of all, the goals, and the placement of the processors. */
json_t *bench_json_all(const struct bench *const *benches, const struct limits *l);

#endif
