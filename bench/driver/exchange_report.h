/* unisono bench exchange: the tables. */

#ifndef BENCH_DRIVER_EXCHANGE_REPORT_H
#define BENCH_DRIVER_EXCHANGE_REPORT_H

#include "goals.h"

/* "block" of BENCH_OP_permuteBlock, and so on. */
extern const char *const exchange_permutations[];

void exchange_report(const struct bench *b, const struct limits *limits);

#endif
