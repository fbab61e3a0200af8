#include <stdio.h>
#include <stdlib.h>

#include "programs/programs.h"
#include "talk.h"
#include "trials.h"

enum { SEED = 1 };

static bool allocate(struct product *p) {
    size_t edge = (size_t)p->edge, square = edge * edge, share = edge * (size_t)p->rows;
    p->a = malloc((square + PRODUCT_SHIFTS * edge) * sizeof *p->a);
    p->b = malloc(square * sizeof *p->b);
    p->c = malloc(square * sizeof *p->c);
    p->my_a = malloc(share * sizeof *p->my_a);
    p->my_c = malloc(share * sizeof *p->my_c);
    return p->a && p->b && p->c && p->my_a && p->my_c;
}

/* Return true if the last product is right, and print what is the same for each right one. */
static bool check(const struct product *p, int times) {
    int64_t got, expected, sum = 0;
    for (int i = 0; i < p->edge * p->edge; i++)
        sum = sum * 31 + (int64_t)p->c[i];
    printf("product: number %d of %d rows: %016llx\n", times, p->edge, (unsigned long long)sum);
    return product_wrong_row(p, times - 1, SEED, &got, &expected) < 0;
}

bool trial_product(int edge, int times) {
    int me = talk_me(), n = talk_pes();
    struct product p = {.edge = edge, .rows = edge / n};
    int share = p.rows * edge;
    if (edge % n || !allocate(&p))
        return false;
    product_fill(&p, me, SEED);
    for (int i = 0; i < times; i++) {
        talk_broadcast(p.b, edge * edge);
        talk_scatter(product_factor(&p, i), p.my_a, share);
        product_rows(p.my_c, p.my_a, p.b, p.rows, edge);
        talk_gather(p.my_c, p.c, share);
    }
    bool right = me || check(&p, times);
    float *const all[] = {p.a, p.b, p.c, p.my_a, p.my_c};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    return right;
}
