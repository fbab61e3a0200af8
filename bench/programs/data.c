/* The data of the programs, and what must come out of them. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mix.h"
#include "programs.h"

/* ---- Jacobi ------------------------------------------------------------------------------------------- */

static float first_value(uint64_t seed, int row, int column) {
    uint64_t number = bench_mix(seed + ((uint64_t)(row + 1) << 16) + (uint64_t)(column + 1));
    return (float)(number >> 40) * 0x1p-24f;
}

void field_fill(const struct field *field, uint64_t seed) {
    for (int r = 0; r <= field->rows + 1; r++)
        for (int c = -1; c <= field->edge; c++) {
            int row = field->first + r - 1;
            bool given = row < 0 || row == field->edge || c < 0 || c == field->edge;
            bool neighbours = (r == 0 || r == field->rows + 1) && !given;
            field_row(field, 0, r)[c] = neighbours ? -1 : first_value(seed, row, c);
            field_row(field, 1, r)[c] = given ? first_value(seed, row, c) : -1;
        }
}

/* ---- matrix multiplication ---------------------------------------------------------------------------- */

enum { LEAST = -4, GREATEST = 4 };

static void fill(float *to, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++)
        to[i] = (float)(LEAST + (int)(bench_mix(seed + i) % (GREATEST - LEAST + 1)));
}

void product_fill(const struct product *p, int me, uint64_t seed) {
    size_t edge = (size_t)p->edge, square = edge * edge, share = (size_t)p->rows * edge;
    memset(p->c, 0xff, square * sizeof *p->c);
    memset(p->my_c, 0xff, share * sizeof *p->my_c);
    memset(p->my_a, 0xff, share * sizeof *p->my_a);
    memset(p->b, 0xff, square * sizeof *p->b);
    if (me)
        return;
    fill(p->a, square + PRODUCT_SHIFTS * edge, seed);
    fill(p->b, square, seed + UINT32_MAX / 2);
}

/* Row i of a matrix by a vector. */
static int64_t by_vector(const float *matrix, int edge, int i, const int64_t *vector) {
    int64_t sum = 0;
    for (int j = 0; j < edge; j++)
        sum += (int64_t)matrix[(size_t)i * (size_t)edge + (size_t)j] * vector[j];
    return sum;
}

int product_wrong_row(const struct product *p, int i, uint64_t seed, int64_t *got, int64_t *expected) {
    int edge = p->edge, wrong = -1;
    int64_t *r = malloc(2 * (size_t)edge * sizeof *r), *b_r = r + edge;
    if (!r) {
        fprintf(stderr, "no memory for a vector of %d numbers\n", edge);
        _exit(1);
    }
    for (int k = 0; k < edge; k++)
        r[k] = (int64_t)(bench_mix(seed ^ (uint64_t)k) >> 44);
    for (int k = 0; k < edge; k++)
        b_r[k] = by_vector(p->b, edge, k, r);
    for (int k = 0; k < edge && wrong < 0; k++) {
        *expected = by_vector(product_factor(p, i), edge, k, b_r);
        *got = by_vector(p->c, edge, k, r);
        if (*got != *expected)
            wrong = k;
    }
    free(r);
    return wrong;
}

/* ---- integrals ---------------------------------------------------------------------------------------- */

/* Parts of the result: the sums of ten million terms are rounded as often. */
static const double ROUNDED = 1e-10;

static const double PI = 3.14159265358979323846;

double integral_trapezoids_sum(double end, long count, double *tolerance) {
    double width = end / (double)count, sum = end * end * end / 3 + end * width * width / 6;
    *tolerance = ROUNDED * sum;
    return sum;
}

double integral_pi_sum(long count, double *tolerance) {
    double width = 1 / (double)count, sum = PI + width * width / 12;
    *tolerance = ROUNDED * sum + pow(width, 4);
    return sum;
}
