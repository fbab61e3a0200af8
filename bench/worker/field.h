/* The squares of the Jacobi program. */

#ifndef BENCH_WORKER_FIELD_H
#define BENCH_WORKER_FIELD_H

#include "pe.h"

/* Make the data of so many sweeps before a turn; and check every cell after it. */
void bench_field_prepare(struct bench_pe *pe, int operations);
void bench_field_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
