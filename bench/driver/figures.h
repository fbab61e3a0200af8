/* unisono bench: figures computed from the samples. */

#ifndef BENCH_DRIVER_FIGURES_H
#define BENCH_DRIVER_FIGURES_H

#include "results.h"

/* ns: the bare exchange, one way, is faster between processors of one core. */
enum { SHARED_CORE_NS = 120 };

void bench_sort(double *values, size_t count);

/* Return the value below which the given part of all values lies. The first function takes sorted values, the
 * second sorts them. */
double bench_sorted_quantile(const double *sorted, size_t count, double part);
double bench_quantile(double *values, size_t count, double part);

/* Return the side with this key; below 0: there is none. */
int bench_find_side(const struct bench *b, const char *key);

/* Return true if other programs used so much of the processors that samples may be disturbed by them. */
bool bench_is_busy(const struct bench *b, int count);

/* Return true if samples of the side in this cell are disturbed: other programs were at work, and the median
 * is far above the least time, or there are so few samples that all of them may be theirs. */
bool bench_is_disturbed(const struct bench *b, int count, int cell, int side);

/* The ratio of Unisono to one peer, or to the best of all (peer 0), in one cell: peer's time / Unisono's. */
struct bench_ratio {
    double octile, median;
    double round_least, round_greatest; /* over the rounds, by their medians */
    int side;       /* the peer whose octile is the least; 0: none was measured, or samples are disturbed */
    bool disturbed; /* they are */
};
struct bench_ratio bench_ratio(const struct bench *b, int count, int cell, int peer);

/* Return true if the cell counts as "p_wait and every 8-byte operation". */
bool bench_is_key(const struct bench *b, int cell);

#endif
