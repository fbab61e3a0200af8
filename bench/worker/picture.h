/* The data of the edge detector. */

#ifndef BENCH_WORKER_PICTURE_H
#define BENCH_WORKER_PICTURE_H

#include "pe.h"

/* Before a turn: make the data of so many operations. After it: check every result. */
void bench_picture_prepare(struct bench_pe *pe, int operations);
void bench_picture_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
