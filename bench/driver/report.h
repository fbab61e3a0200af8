/* unisono bench: the tables of 1995 and the comparison, as text. */

#ifndef BENCH_DRIVER_REPORT_H
#define BENCH_DRIVER_REPORT_H

#include "results.h"

void bench_report(const struct bench *b);

#endif
