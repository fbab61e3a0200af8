/* unisono bench: what follows from the figures. */

#ifndef BENCH_DRIVER_FIGURES_H
#define BENCH_DRIVER_FIGURES_H

#include "results.h"

/* ns: the bare exchange, one way, is faster between processors of one core. */
enum { SHARED_CORE_NS = 120 };

void bench_sort(double *values, size_t count);

/* The element of which the given part of all lies below: of values that are sorted, or are sorted by this. */
double bench_sorted_quantile(const double *sorted, size_t count, double part);
double bench_quantile(double *values, size_t count, double part);

/* The side with this key; below 0: there is none. */
int bench_find_side(const struct bench *b, const char *key);

/* How Unisono compares to one peer, or to the better of all (0), in one cell: peer's time / Unisono's. */
struct bench_ratio {
    double octile, median;
    double round_least, round_greatest; /* over the rounds, by their medians */
    int side;                           /* the peer whose octile is the least; 0: none was measured */
};
struct bench_ratio bench_ratio(const struct bench *b, int count, int cell, int peer);

/* Whether the cell counts as "p_wait and every 8-byte operation". */
bool bench_is_key(const struct bench *b, int cell);

#endif
