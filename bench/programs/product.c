#include <string.h>

#include "programs.h"

/* Rows of b that stay in the second-level cache while all rows of a pass, and those that are taken at once.
 */
enum { BLOCK = 64, STEP = 4 };

static void add_row(float *restrict c, const float *a, const float *b, int steps, int edge) {
    for (int k = 0; k < steps; k += STEP, a += STEP, b += STEP * (size_t)edge) {
        const float *b1 = b + edge, *b2 = b1 + edge, *b3 = b2 + edge;
        for (int j = 0; j < edge; j++)
            c[j] += a[0] * b[j] + a[1] * b1[j] + a[2] * b2[j] + a[3] * b3[j];
    }
}

void product_rows(float *c, const float *a, const float *b, int rows, int edge) {
    memset(c, 0, (size_t)rows * (size_t)edge * sizeof *c);
    for (int block = 0; block < edge; block += BLOCK)
        for (int i = 0; i < rows; i++)
            add_row(c + (size_t)i * (size_t)edge, a + (size_t)i * (size_t)edge + block,
                    b + (size_t)block * (size_t)edge, edge - block < BLOCK ? edge - block : BLOCK, edge);
}
