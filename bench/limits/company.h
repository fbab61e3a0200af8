/* script/bench-limits: one job in company and in confinement, beside the same job undisturbed. */

#ifndef BENCH_DRIVER_COMPANY_H
#define BENCH_DRIVER_COMPANY_H

#include "driver/goals.h"

/* Measure for about `seconds` seconds in all, and append the goals. */
void company_measure(struct limits *l, double seconds);

#endif
