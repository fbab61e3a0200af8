/* What the sides that are made of the library itself have between them: how their PEs start, and the memory
 * for blocks that all of them reach. */

#ifndef BENCH_SIDES_JOB_H
#define BENCH_SIDES_JOB_H

#include <stdbool.h>
#include <stddef.h>

/* As struct bench_side's start and blocks. */
int job_start(int n, bool threads, int processors, int (*body)(int me, int n));
void *job_blocks(int me, int n, size_t bytes, void *before, size_t bytes_before);

#endif
