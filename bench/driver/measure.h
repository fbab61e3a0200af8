/* unisono bench: turns. */

#ifndef BENCH_DRIVER_MEASURE_H
#define BENCH_DRIVER_MEASURE_H

#include "results.h"

/* Append a cell of messages, blocks or parts of so many bytes; see results.h. */
void bench_add(struct bench *b, int op, uint64_t bytes, bool joined);

/* Give a bench its share of the seconds, and one or two numbers of PEs (second: 0). */
void bench_share(struct bench *b, const struct bench_options *options, double share, int first, int second);

/* Measure every cell with every number of PEs. */
void bench_measure(struct bench *b);

/* Do one turn of a side: send it to every PE, then receive from each its reply and the data after it. */
void bench_send(const struct bench *b, struct side *side, int cell, const struct bench_turn *turn);
void bench_receive(const struct bench *b, struct side *side, int k, int cell, void *data, size_t size);

#endif
