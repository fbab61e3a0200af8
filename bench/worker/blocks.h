/* Blocks, one of each PE for each. */

#ifndef BENCH_WORKER_BLOCKS_H
#define BENCH_WORKER_BLOCKS_H

#include "pe.h"

/* Make the blocks of `operations` operations ready. */
void bench_blocks_prepare(struct bench_pe *pe, int operations);

/* Count in reply->wrong what has not arrived as it should. */
void bench_blocks_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
