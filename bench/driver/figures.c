#include "figures.h"

#include <stdlib.h>
#include <string.h>

#include "engine/processors.h"

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

bool bench_is_busy(const struct bench *b, int count) {
    return b->others[count] > 0.05 * uno_processors(); /* less passes between the batches */
}

/* Where other programs are at work, a time this many times the least is theirs too. */
enum { FAR = 2, FEW = 8 };

bool bench_is_disturbed(const struct bench *b, int count, int cell, int side) {
    const struct bench_figures *f = bench_figures(b, count, cell, side);
    return f->operations && bench_is_busy(b, count) && (f->batches < FEW || f->median > FAR * f->least);
}

/* Return true if the samples of Unisono or of this peer are disturbed, or those of another one that may be
 * faster than it. */
static bool is_disturbed(const struct bench *b, int count, int cell, int peer, int best) {
    bool disturbed = bench_is_disturbed(b, count, cell, 0) || bench_is_disturbed(b, count, cell, best);
    for (int s = 2; s < b->sides && peer == 0; s++)
        disturbed = disturbed ||
                    (bench_is_disturbed(b, count, cell, s) &&
                     bench_figures(b, count, cell, s)->least < bench_figures(b, count, cell, best)->octile);
    return disturbed;
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
    if (is_disturbed(b, count, cell, peer, ratio.side))
        return (struct bench_ratio){.disturbed = true};
    const struct bench_figures *theirs = bench_figures(b, count, cell, ratio.side);
    ratio.octile = theirs->octile / own->octile;
    ratio.median = theirs->median / own->median;
    for (int r = 0; r < b->options.rounds; r++) {
        if (!(own->round[r] > 0 && theirs->round[r] > 0) ||
            (bench_is_busy(b, count) &&
             (own->round[r] > FAR * own->least || theirs->round[r] > FAR * theirs->least)))
            continue;
        double now = theirs->round[r] / own->round[r];
        if (!(ratio.round_least > 0) || now < ratio.round_least)
            ratio.round_least = now;
        if (now > ratio.round_greatest)
            ratio.round_greatest = now;
    }
    if (bench_is_busy(b, count) && !(ratio.round_least > 0))
        return (struct bench_ratio){.disturbed = true};
    return ratio;
}

bool bench_is_key(const struct bench *b, int cell) {
    int op = b->cell[cell].op, type = b->cell[cell].type;
    return bench_kinds[op].timing != BENCH_LOCAL &&
           (op == BENCH_OP_wait || type == BENCH_TYPE_64 || type == BENCH_TYPE_64u || type == BENCH_TYPE_d);
}
