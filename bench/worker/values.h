/* The data of operations on values. */

#ifndef BENCH_WORKER_VALUES_H
#define BENCH_WORKER_VALUES_H

#include "pe.h"

/* Before a turn: make the data of so many operations. After it: check every result. */
void bench_values_prepare(struct bench_pe *pe, int operations);
void bench_values_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
