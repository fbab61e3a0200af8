/* Matrices of small whole numbers, whose products are exact in whatever order they are summed. C = A B is
 * checked by a random vector r: C r must be A (B r). A wrong C passes that once in a million times. */

#include "product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kinds.h"
#include "memory.h"
#include "programs/programs.h"

enum { LEAST = -4, GREATEST = 4 };

static void fill(float *to, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++)
        to[i] = (float)(LEAST + (int)(bench_mix(seed + i) % (GREATEST - LEAST + 1)));
}

void bench_product_prepare(struct bench_pe *pe, int operations) {
    const struct bench_turn *turn = &pe->turn;
    struct product *p = &pe->product;
    size_t edge = (size_t)turn->bytes, square = edge * edge, more = PRODUCT_SHIFTS * edge;
    (void)operations;
    *p = (struct product){.edge = (int)edge,
                          .rows = turn->op == BENCH_OP_productFirst ? (int)edge : (int)edge / pe->n,
                          .a = bench_pool(pe, 0),
                          .c = bench_pool(pe, 1)};
    p->my_a = p->a + square + more;
    p->b = p->my_a + square;
    p->my_c = p->c + square;
    memset(p->c, 0xff, 2 * square * sizeof *p->c); /* no number */
    memset(p->my_a, 0xff, 2 * square * sizeof *p->my_a);
    if (pe->me)
        return;
    fill(p->a, square + more, turn->seed);
    fill(p->b, square, turn->seed + UINT32_MAX / 2);
}

/* Row i of a matrix by a vector. */
static int64_t by_vector(const float *matrix, int edge, int i, const int64_t *vector) {
    int64_t sum = 0;
    for (int j = 0; j < edge; j++)
        sum += (int64_t)matrix[(size_t)i * (size_t)edge + (size_t)j] * vector[j];
    return sum;
}

void bench_product_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    const struct product *p = &pe->product;
    int edge = p->edge;
    if (pe->me)
        return;
    int64_t *r = malloc(2 * (size_t)edge * sizeof *r), *b_r = r + edge;
    if (!r) {
        fprintf(stderr, "bench worker: no memory for a vector of %d numbers\n", edge);
        _exit(1);
    }
    for (int i = 0; i < edge; i++)
        r[i] = (int64_t)(bench_mix(pe->turn.seed ^ (uint64_t)i) >> 44);
    for (int i = 0; i < edge; i++)
        b_r[i] = by_vector(p->b, edge, i, r);
    for (int i = 0; i < edge; i++) {
        int64_t expected = by_vector(product_factor(p, operations - 1), edge, i, b_r);
        int64_t got = by_vector(p->c, edge, i, r);
        if (got != expected && !reply->wrong++)
            snprintf(reply->text, sizeof reply->text,
                     "%s of %d PEs, %d x %d numbers: row %d by a random vector is %lld instead of %lld",
                     bench_kinds[pe->turn.op].name, pe->n, edge, edge, i, (long long)got,
                     (long long)expected);
    }
    free(r);
}
