/* The matrices of the multiplication. */

#ifndef BENCH_WORKER_PRODUCT_H
#define BENCH_WORKER_PRODUCT_H

#include "pe.h"

/* Make the data before a turn; and check the last product after it, which differs from the one before. */
void bench_product_prepare(struct bench_pe *pe, int operations);
void bench_product_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

#endif
