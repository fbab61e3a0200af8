/* unisono bench exchange: all-to-all exchanges of blocks, beside MPI libraries and a plain copy. */

#ifndef BENCH_DRIVER_EXCHANGE_H
#define BENCH_DRIVER_EXCHANGE_H

#include "results.h"

/* Measure, print the report if it is wanted, and return everything as JSON. */
json_t *bench_exchange(const struct bench_options *options, bool report);

#endif
