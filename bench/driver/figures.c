#include "figures.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_sorted_quantile(const double *sorted, size_t count, double part) {
    return sorted[(size_t)(part * (double)(count - 1) + 0.5)];
}

void bench_sort(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
}

double bench_quantile(double *values, size_t count, double part) {
    bench_sort(values, count);
    return bench_sorted_quantile(values, count, part);
}

int bench_find_side(const struct bench *b, const char *key) {
    for (int s = 0; s < b->sides; s++)
        if (strcmp(b->side[s].key, key) == 0)
            return s;
    return -1;
}

struct bench_ratio bench_ratio(const struct bench *b, int count, int cell, int peer) {
    struct bench_ratio ratio = {0};
    const struct bench_figures *own = bench_figures(b, count, cell, 0);
    for (int s = 2; s < b->sides; s++)
        if ((peer == 0 || peer == s) && bench_figures(b, count, cell, s)->operations &&
            (!ratio.side ||
             bench_figures(b, count, cell, s)->octile < bench_figures(b, count, cell, ratio.side)->octile))
            ratio.side = s;
    if (!ratio.side || !own->operations) {
        ratio.side = 0;
        return ratio;
    }
    const struct bench_figures *theirs = bench_figures(b, count, cell, ratio.side);
    ratio.octile = theirs->octile / own->octile;
    ratio.median = theirs->median / own->median;
    for (int r = 0; r < b->options.rounds; r++) {
        if (!(own->round[r] > 0 && theirs->round[r] > 0))
            continue;
        double now = theirs->round[r] / own->round[r];
        if (!(ratio.round_least > 0) || now < ratio.round_least)
            ratio.round_least = now;
        if (now > ratio.round_greatest)
            ratio.round_greatest = now;
    }
    return ratio;
}

bool bench_is_key(const struct bench *b, int cell) {
    int op = b->cell[cell].op, type = b->cell[cell].type;
    return bench_kinds[op].timing != BENCH_LOCAL &&
           (op == BENCH_OP_wait || type == BENCH_TYPE_64 || type == BENCH_TYPE_64u || type == BENCH_TYPE_d);
}
