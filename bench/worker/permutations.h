/* Permutations: each PE has a part of an array, and a table of where each of its elements goes. */

#ifndef BENCH_WORKER_PERMUTATIONS_H
#define BENCH_WORKER_PERMUTATIONS_H

#include "pe.h"

/* Make this PE's part and its table ready. */
void bench_permutations_prepare(struct bench_pe *pe, int operations);

/* Count in reply->wrong the elements of this PE's part that are not the ones that belong there. */
void bench_permutations_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
