/* Permutations: each PE has a part of an array, and a table with the destination of each of its elements. */

#ifndef BENCH_WORKER_PERMUTATIONS_H
#define BENCH_WORKER_PERMUTATIONS_H

#include "pe.h"

/* Prepare this PE's part and its table. */
void bench_permutations_prepare(struct bench_pe *pe, int operations);

/* Count in reply->wrong the elements of this PE's part that do not belong there. */
void bench_permutations_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
