/* Helpers of the sides that use the library itself: the start of their PEs, and the memory for blocks that
 * all PEs reach. */

#ifndef BENCH_SIDES_JOB_H
#define BENCH_SIDES_JOB_H

#include <stdbool.h>
#include <stddef.h>

/* The functions start and blocks of struct bench_side. */
int job_start(int n, bool threads, int processors, int (*body)(int me, int n));
void *job_blocks(int me, int n, size_t bytes, void *before, size_t bytes_before);

#endif
