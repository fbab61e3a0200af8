/* Ratios of samples that other programs have disturbed are left out, and no others. */

#include <stdio.h>
#include <stdlib.h>

#include "engine/processors.h"
#include "figures.h"

enum { UNISONO, BARE, FIRST_PEER, SECOND_PEER, SIDES };

static struct bench b;

static void expect(bool good, const char *what) {
    if (good)
        return;
    printf("%s\n", what);
    exit(1);
}

static void set(int side, double least, double median, long batches) {
    struct bench_figures *f = bench_figures(&b, 0, 0, side);
    *f = (struct bench_figures){.least = least,
                                .octile = (least + median) / 2,
                                .median = median,
                                .p99 = 10 * median,
                                .batches = batches,
                                .operations = 50 * batches,
                                .round = {median, 100 * median, median}};
}

static struct bench_ratio ratio(int peer) {
    return bench_ratio(&b, 0, 0, peer);
}

int main(void) {
    b.figures = calloc(MAX_SIDES, sizeof *b.figures);
    b.sides = SIDES;
    b.cells = 1;
    b.options.rounds = 3;

    /* alone, a great spread is the side's own */
    set(UNISONO, 100, 110, 20);
    set(FIRST_PEER, 200, 5000, 3);
    expect(ratio(FIRST_PEER).side == FIRST_PEER && ratio(FIRST_PEER).round_greatest > 45, "alone: no ratio");

    /* others that use little */
    b.others[0] = 0.04 * uno_processors();
    expect(!bench_is_busy(&b, 0) && ratio(0).side == FIRST_PEER, "little: no ratio");

    /* others at work: the median is far above the least, or samples are few */
    b.others[0] = 0.06 * uno_processors();
    expect(bench_is_busy(&b, 0) && ratio(FIRST_PEER).disturbed && !ratio(FIRST_PEER).side, "spread: a ratio");
    set(FIRST_PEER, 200, 210, 7);
    expect(ratio(FIRST_PEER).disturbed, "few samples: a ratio");
    set(FIRST_PEER, 200, 210, 8);
    expect(!ratio(FIRST_PEER).disturbed && ratio(FIRST_PEER).side == FIRST_PEER, "steady: no ratio");
    expect(ratio(FIRST_PEER).round_greatest < 2, "a disturbed round counts");
    set(UNISONO, 100, 201, 20);
    expect(ratio(FIRST_PEER).disturbed, "Unisono's spread: a ratio");

    /* the better peer is not known if one that is disturbed may be it */
    set(UNISONO, 100, 110, 20);
    set(SECOND_PEER, 150, 5000, 20);
    expect(ratio(0).disturbed && ratio(FIRST_PEER).side == FIRST_PEER, "perhaps better: a ratio");
    set(SECOND_PEER, 300, 5000, 20);
    expect(ratio(0).side == FIRST_PEER && ratio(SECOND_PEER).disturbed, "certainly worse: no ratio");
    free(b.figures);
    return 0;
}
