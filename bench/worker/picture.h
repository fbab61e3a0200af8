/* The data of the edge detector. */

#ifndef BENCH_WORKER_PICTURE_H
#define BENCH_WORKER_PICTURE_H

#include "pe.h"

/* Make the data of so many operations before a turn; and check every result after it. */
void bench_picture_prepare(struct bench_pe *pe, int operations);
void bench_picture_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
