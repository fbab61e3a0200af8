/* Memory for what messages and exchanges move. */

#ifndef BENCH_WORKER_MEMORY_H
#define BENCH_WORKER_MEMORY_H

#include <stdbool.h>

#include "pe.h"

/* BENCH_POOL bytes to send (0) or to receive (1) in, the same ones at each call. Ends the worker if there are
 * none. */
void *bench_pool(struct bench_pe *pe, int which);

/* Return memory of so many bytes: a part of a memory that all PEs reach, in which the PEs' parts follow each
 * other, where the side has such memory and `own` is false; then all PEs call this with the same numbers.
 * Otherwise memory of this PE alone. before: the result of an earlier call, which is freed, and its bytes.
 * Ends the worker if memory is short. */
void *bench_memory(const struct bench_pe *pe, bool own, size_t bytes, void *before, size_t bytes_before);

#endif
