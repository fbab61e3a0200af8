/* The squares of the Jacobi program. */

#ifndef BENCH_WORKER_FIELD_H
#define BENCH_WORKER_FIELD_H

#include "pe.h"

/* Before a turn: make the data of so many sweeps. After it: check every cell. */
void bench_field_prepare(struct bench_pe *pe, int operations);
void bench_field_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
