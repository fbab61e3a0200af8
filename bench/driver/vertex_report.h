/* unisono bench vertex: the tables of 1987 with rows of today, as text. */

#ifndef BENCH_DRIVER_VERTEX_REPORT_H
#define BENCH_DRIVER_VERTEX_REPORT_H

#include "vertex_results.h"

void vertex_report(const struct vertex *v);

#endif
