/* Memory for what messages and exchanges move. */

#ifndef BENCH_WORKER_MEMORY_H
#define BENCH_WORKER_MEMORY_H

#include <stdbool.h>

#include "pe.h"

/* BENCH_POOL bytes to send (0) or to receive (1) in, the same ones at each call. Ends the worker if there are
 * none. */
void *bench_pool(struct bench_pe *pe, int which);

/* So many bytes: part of a memory that all PEs reach, in which the part of each follows that of the one
 * before, where the side has such and `own` is false; then all PEs call with the same numbers. Otherwise of
 * this PE alone. before: what this has given before, which is free, and its bytes. Ends the worker if there
 * is none. */
void *bench_memory(const struct bench_pe *pe, bool own, size_t bytes, void *before, size_t bytes_before);

#endif
