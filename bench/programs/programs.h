/* The programs of the paper about rMPI: what each rank has and calculates. How data come to it is the sides'.
 */

#ifndef BENCH_PROGRAMS_H
#define BENCH_PROGRAMS_H

#include <stddef.h>

/* ---- Jacobi ------------------------------------------------------------------------------------------- */

/* A rank's rows of a square of `edge` rows and columns, with a row above and below them and a column at
 * either side, whose values are given or a neighbour's. */
struct field {
    int edge, first, rows;
    float *cells[2]; /* (rows + 2) x (edge + 2); a sweep goes from one to the other */
};

static inline size_t field_stride(const struct field *field) {
    return (size_t)field->edge + 2;
}

/* The cells of row 0, above this rank's first one, to row rows + 1, below its last one. */
static inline float *field_row(const struct field *field, int which, int row) {
    return field->cells[which] + (size_t)row * field_stride(field) + 1;
}

/* Do one sweep of this rank's rows from cells[which] to the other array: each cell becomes a quarter of the
 * sum of its four neighbours. */
void field_sweep(const struct field *field, int which);

/* ---- matrix multiplication ---------------------------------------------------------------------------- */

enum { PRODUCT_SHIFTS = 8 };

/* Rank 0 has A, with some rows more, B, and has C at last; each rank has its share of the rows of A and C. */
struct product {
    int edge, rows;
    float *a, *b, *c, *my_a, *my_c;
};

/* The factor of operation i: edge rows of A, from another one on each time. */
static inline const float *product_factor(const struct product *product, int i) {
    return product->a + (size_t)(i % PRODUCT_SHIFTS) * (size_t)product->edge;
}

/* c, of so many rows, = a b; b has as many rows as columns. */
void product_rows(float *c, const float *a, const float *b, int rows, int edge);

/* ---- integrals ---------------------------------------------------------------------------------------- */

/* Rank `me` of n has these of `count` intervals. */
static inline long interval_first(long count, int me, int n) {
    return count * me / n;
}

/* The trapezoids below x^2 from 0 to `end`, `count` in all: those from `from` to `to` - 1. */
double integral_trapezoids(double end, long count, long from, long to);

/* Pi as the integral of 4 / (1 + x^2) from 0 to 1, by the middles of `count` intervals: those from `from` to
 * `to` - 1. */
double integral_pi(long count, long from, long to);

#endif
