/* Squares for the Jacobi program: other values in every turn, and the expected result, computed by plain
 * loops over all cells that it depends on. They add in the same order as the program, so that all bits are
 * the same. */

#include "field.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kinds.h"
#include "memory.h"
#include "programs/programs.h"

static bool is_alone(const struct bench_turn *turn) {
    return turn->op == BENCH_OP_jacobiFirst;
}

void bench_field_prepare(struct bench_pe *pe, int operations) {
    int edge = (int)pe->turn.bytes, me = is_alone(&pe->turn) ? 0 : pe->me,
        n = is_alone(&pe->turn) ? 1 : pe->n;
    int first = field_first(edge, me, n);
    (void)operations;
    pe->field = (struct field){.edge = edge,
                               .first = first,
                               .rows = field_first(edge, me + 1, n) - first,
                               .cells = {bench_pool(pe, 0), bench_pool(pe, 1)}};
    if (pe->me == me)
        field_fill(&pe->field, pe->turn.seed);
}

/* ---- what must come ----------------------------------------------------------------------------------- */

/* The rows on which this PE's depend: for each sweep one more at either side. What is beyond them is not
 * right, but comes one row nearer in a sweep, so that it does not reach this PE's. */
static struct field reference_make(const struct bench_turn *turn, const struct field *mine, int sweeps) {
    int edge = mine->edge, first = mine->first - sweeps, end = mine->first + mine->rows + sweeps;
    struct field field = {.edge = edge, .first = first < 0 ? 0 : first};
    field.rows = (end > edge ? edge : end) - field.first;
    for (int k = 0; k < 2; k++) {
        field.cells[k] = malloc((size_t)(field.rows + 2) * field_stride(&field) * sizeof *field.cells[k]);
        if (!field.cells[k]) {
            fprintf(stderr, "bench worker: no memory for a square of %d x %d cells\n", edge, edge);
            _exit(1);
        }
    }
    field_fill(&field, turn->seed);
    return field;
}

static void reference_sweep(const struct field *field, int which) {
    for (int r = 1; r <= field->rows; r++) {
        float *above = field_row(field, which, r - 1), *here = field_row(field, which, r);
        float *below = field_row(field, which, r + 1), *next = field_row(field, !which, r);
        for (int c = 0; c < field->edge; c++) {
            float sum = above[c] + below[c];
            sum += here[c - 1];
            sum += here[c + 1];
            next[c] = sum / 4;
        }
    }
}

void bench_field_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    const struct bench_turn *turn = &pe->turn;
    const struct field *mine = &pe->field;
    int last = operations & 1;
    if (is_alone(turn) && pe->me)
        return;
    struct field reference = reference_make(turn, mine, operations);
    for (int i = 0; i < operations; i++)
        reference_sweep(&reference, i & 1);
    for (int r = 1; r <= mine->rows; r++)
        for (int c = 0; c < mine->edge; c++) {
            float got = field_row(mine, last, r)[c];
            float expected = field_row(&reference, last, r + mine->first - reference.first)[c];
            if (!(got == expected) && !reply->wrong++)
                snprintf(reply->text, sizeof reply->text,
                         "%s of %d PEs, %d x %d cells, %d sweeps: PE %d has %.9g instead of %.9g in row %d, "
                         "column %d",
                         bench_kinds[turn->op].name, pe->n, mine->edge, mine->edge, operations, pe->me, got,
                         expected, mine->first + r - 1, c);
        }
    free(reference.cells[0]);
    free(reference.cells[1]);
}
