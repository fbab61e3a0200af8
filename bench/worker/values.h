/* The data of operations on values. */

#ifndef BENCH_WORKER_VALUES_H
#define BENCH_WORKER_VALUES_H

#include "pe.h"

/* Make the data of so many operations before a turn; and check every result after it. */
void bench_values_prepare(struct bench_pe *pe, int operations);
void bench_values_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
