/* unisono bench exchange: the tables. */

#ifndef BENCH_DRIVER_EXCHANGE_REPORT_H
#define BENCH_DRIVER_EXCHANGE_REPORT_H

#include "goals.h"

void exchange_report(const struct bench *b, const struct limits *limits);

#endif
