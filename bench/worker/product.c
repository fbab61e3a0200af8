#include "product.h"

#include <stdio.h>

#include "kinds.h"
#include "memory.h"

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
    product_fill(p, pe->me, turn->seed);
}

void bench_product_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    const struct product *p = &pe->product;
    int64_t got, expected;
    int row = pe->me ? -1 : product_wrong_row(p, operations - 1, pe->turn.seed, &got, &expected);
    if (row < 0)
        return;
    reply->wrong++;
    snprintf(reply->text, sizeof reply->text,
             "%s of %d PEs, %d x %d numbers: row %d by a random vector is %lld instead of %lld",
             bench_kinds[pe->turn.op].name, pe->n, p->edge, p->edge, row, (long long)got,
             (long long)expected);
}
