/* unisono bench vertex: what follows from the times. */

#ifndef BENCH_DRIVER_VERTEX_FIGURES_H
#define BENCH_DRIVER_VERTEX_FIGURES_H

#include "vertex_results.h"

/* "standard", "extended" */
extern const char *const vertex_protocols[PROTOCOLS];

/* The cell of this kind; below 0: there is none. */
int vertex_cell(const struct bench *b, int op, uint64_t bytes);

/* The time of one operation in ns; below 0: not measured. Of a ring, and of a stream: of one message. */
double vertex_time(const struct bench *b, int count, int op, uint64_t bytes, int side);

/* The index of a number of PEs; below 0: there is none. */
int vertex_count(const struct bench *b, int pes);

/* The median over the rounds of side `over`'s time in one operation by side `under`'s in another; below 0:
 * they never were in one round. */
double vertex_ratio(const struct bench *b, int count, uint64_t bytes, int over_op, int over, int under_op,
                    int under);

/* The same with its spread: over all rounds that have both. */
struct vertex_spread {
    double least, median, greatest; /* below 0: they never were in one round */
};
struct vertex_spread vertex_spread(const struct bench *b, int count, uint64_t bytes, int over_op, int over,
                                   int under_op, int under);

/* The same, over: the better of the peers in each round; under: side 0. */
struct vertex_spread vertex_better_spread(const struct bench *b, int count, int op, uint64_t bytes);

/* Its median. */
double vertex_better_peer(const struct bench *b, int count, int op, uint64_t bytes);

/* Fit all rings. */
void vertex_fit(struct vertex *v);

/* One row of Table 3. */
struct detection {
    int edge, pes;
    double alone, parts, exec[PROTOCOLS]; /* ns; below 0: not measured */
    double gamma[PROTOCOLS];
    bool complete;
};
struct detection vertex_detection(const struct vertex *v, const struct bench *b, int count, int edge);

#endif
