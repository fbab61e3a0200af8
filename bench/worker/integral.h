/* The integrals: the area below a parabola, and pi. */

#ifndef BENCH_WORKER_INTEGRAL_H
#define BENCH_WORKER_INTEGRAL_H

#include "pe.h"

/* Before a turn: make the data of so many operations. After it: check every result. */
void bench_integral_prepare(struct bench_pe *pe, int operations);
void bench_integral_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
