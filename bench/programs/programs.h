/* The programs of the paper about rMPI: what each rank has and calculates, the data, and what must come out.
 * How data come to a rank is the sides'. */

#ifndef BENCH_PROGRAMS_H
#define BENCH_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

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

/* Rows of a rank: their first one is the first of rank `me` of n, or the end of those before it. */
static inline int field_first(int edge, int me, int n) {
    return edge * me / n;
}

/* Fill both arrays: numbers below 1, and those beyond the edges stay; a neighbour's rows have -1 until they
 * come. */
void field_fill(const struct field *field, uint64_t seed);

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

/* Fill the memory of rank `me`: A and B at rank 0, of small whole numbers, so that the product is exact in
 * whatever order it is summed; the rest is no number. */
void product_fill(const struct product *product, int me, uint64_t seed);

/* Return the first row of C that is not that of operation i, or -1; *got and *expected: by a random vector r,
 * C r and A (B r). A wrong C passes once in a million times. */
int product_wrong_row(const struct product *product, int i, uint64_t seed, int64_t *got, int64_t *expected);

/* c, of so many rows, = a b; b has as many rows as columns. */
void product_rows(float *c, const float *a, const float *b, int rows, int edge);

/* ---- integrals ---------------------------------------------------------------------------------------- */

/* Rank `me` of n has these of `count` intervals. */
static inline long interval_first(long count, int me, int n) {
    return count * me / n;
}

/* The trapezoids below x^2 from 0 to `end`, `count` in all: those from `from` to `to` - 1. */
double integral_trapezoids(double end, long count, long from, long to);

/* The sum of all of them, but for the tolerance. Both rules give the integral and a term with the square
 * of an interval's width; for pi the next term has its fourth power. */
double integral_trapezoids_sum(double end, long count, double *tolerance);
double integral_pi_sum(long count, double *tolerance);

/* Pi as the integral of 4 / (1 + x^2) from 0 to 1, by the middles of `count` intervals: those from `from` to
 * `to` - 1. */
double integral_pi(long count, long from, long to);

#endif
