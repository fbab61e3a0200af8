/* The integrals: the area below a parabola, and pi. */

#ifndef BENCH_WORKER_INTEGRAL_H
#define BENCH_WORKER_INTEGRAL_H

#include "pe.h"

/* Make the data of so many operations before a turn; and check every result after it. */
void bench_integral_prepare(struct bench_pe *pe, int operations);
void bench_integral_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
