#include "exchange_report.h"

#include <stdio.h>

#include "engine/processors.h"
#include "text.h"
#include "vertex_results.h"

enum { NAME = 40, CELL = 10, TEXT = 32, RATE_FROM = 65536 };

const char *const exchange_permutations[] = {"block", "transpose", "grouped", "random"};

/* A row: one side in one operation, for the sizes of cells with operation `sizes`. */
static void print_row(const struct bench *b, int count, int op, int side, int sizes, const char *name) {
    double pes = b->options.counts[count];
    bool any = false;
    for (int c = 0; c < b->cells; c++)
        any |= b->cell[c].op == op && bench_figures(b, count, c, side)->operations;
    if (!any)
        return;
    printf("%-*s", NAME, name);
    for (int c = 0; c < b->cells; c++) {
        double bytes = (double)b->cell[c].bytes;
        if (b->cell[c].op != sizes)
            continue;
        double time = vertex_time(b, count, op, b->cell[c].bytes, side);
        print_number(CELL, time < 0 ? -1 : bytes >= RATE_FROM ? bytes * pes * pes / time : time / 1000);
    }
    putchar('\n');
}

static void print_heading(const struct bench *b, int count, int op, const char *title) {
    printf("\n%s, %d PEs on %d processors: us, from 64 KB on GB/s of all PEs together\n%-*s", title,
           b->options.counts[count], uno_processors(), NAME, "bytes of a block");
    for (int c = 0; c < b->cells; c++)
        if (b->cell[c].op == op)
            printf("%*s", CELL, size_text(b->cell[c].bytes, "B"));
    putchar('\n');
}

/* A column for each permutation, all of which have parts of the same size. */
static void print_permutations(const struct bench *b, int count) {
    enum { FIRST = BENCH_OP_permuteBlock, END = BENCH_OP_permuteRandom + 1 };
    uint64_t bytes = 0;
    for (int c = 0; c < b->cells; c++)
        bytes = b->cell[c].op == FIRST ? b->cell[c].bytes : bytes;
    printf("\nPermutations by a table, %d PEs on %d processors: MB/s of each PE\n%-*s",
           b->options.counts[count], uno_processors(), NAME, "elements of 8 bytes");
    for (int op = FIRST; op < END; op++)
        printf("%*s", CELL, exchange_permutations[op - FIRST]);
    for (int s = 0; s < b->sides; s++) {
        if (vertex_time(b, count, FIRST, bytes, s) < 0)
            continue;
        printf("\n%-*s", NAME, b->side[s].label);
        for (int op = FIRST; op < END; op++)
            print_number(CELL, (double)bytes / vertex_time(b, count, op, bytes, s) * 1e3);
    }
    printf("\n%-*s", NAME, "times faster than the better library");
    for (int op = FIRST; op < END; op++)
        print_number(CELL, vertex_better_peer(b, count, op, bytes));
    putchar('\n');
}

static void print_count(const struct bench *b, int count) {
    char name[TEXT + BENCH_LABEL];
    print_heading(b, count, BENCH_OP_allToAll, "All-to-all");
    for (int s = 0; s < b->sides; s++) {
        snprintf(name, sizeof name, "%s%s", b->side[s].label, s ? "" : ", arrays of p_alloc");
        print_row(b, count, BENCH_OP_allToAll, s, BENCH_OP_allToAll, name);
        snprintf(name, sizeof name, "%s, other memory", b->side[s].label);
        print_row(b, count, BENCH_OP_allToAllOwn, s, BENCH_OP_allToAll, name);
        print_row(b, count, BENCH_OP_copyAll, s, BENCH_OP_allToAll, "memcpy by every PE, no exchange");
    }
    printf("%-*s", NAME, "times faster than the better library");
    for (int c = 0; c < b->cells; c++)
        if (b->cell[c].op == BENCH_OP_allToAll)
            print_number(CELL, vertex_better_peer(b, count, BENCH_OP_allToAll, b->cell[c].bytes));
    putchar('\n');
    print_heading(b, count, BENCH_OP_shift, "Orders");
    for (int s = 0; s < b->sides; s++)
        for (int op = BENCH_OP_shift; op <= BENCH_OP_reflectedPhased; op++)
            print_row(b, count, op, s, BENCH_OP_shift, bench_kinds[op].name);
    print_permutations(b, count);
}

void exchange_report(const struct bench *b, const struct limits *limits) {
    limits_heading(limits, b);
    for (int i = 0; i < b->options.count_count; i++)
        print_count(b, i);
    limits_report(limits);
}
