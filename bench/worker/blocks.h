/* Blocks: one from each PE for each PE. */

#ifndef BENCH_WORKER_BLOCKS_H
#define BENCH_WORKER_BLOCKS_H

#include "pe.h"

/* Prepare the blocks of `operations` operations. */
void bench_blocks_prepare(struct bench_pe *pe, int operations);

/* Count wrong blocks in reply->wrong. */
void bench_blocks_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
