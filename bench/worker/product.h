/* The matrices of the multiplication. */

#ifndef BENCH_WORKER_PRODUCT_H
#define BENCH_WORKER_PRODUCT_H

#include "pe.h"

/* Before a turn: make the data. After it: check the last product, which is another one than that before. */
void bench_product_prepare(struct bench_pe *pe, int operations);
void bench_product_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
