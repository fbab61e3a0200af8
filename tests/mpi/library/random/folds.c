/* Collectives that combine data. */

#include "call.h"

static word combine(const struct call *c, word a, word b) {
    return c->own_op ? a * 31 + b : a + b;
}

/* Return the combined element i of ranks 0 to last. */
static word combined(const struct call *c, int last, int i) {
    word result = value_of(&c->w, 0, i);
    for (int r = 1; r <= last; r++)
        result = combine(c, result, value_of(&c->w, r, i));
    return result;
}

/* Check `n` results: the combined elements of ranks 0 to last, from `first` on. */
static void sums(const struct call *c, int n, int last, int first) {
    for (int i = 0; i < n; i++)
        CHECK(c->out[i * c->step] == combined(c, last, first + i));
    CHECK(c->in_place || c->out[n * c->step] == UNTOUCHED);
}

static void place(struct call *c) {
    call_place(c, 0, c->n);
}

static void reduce_place(struct call *c) {
    c->in_place &= c->w.rank == c->root;
    place(c);
}

static void reduce(struct call *c) {
    ISSUE(c, Reduce, reduce, IN(c), c->out, c->n, c->type, c->op, c->root);
}

static void reduce_check(const struct call *c) {
    sums(c, c->w.rank == c->root ? c->n : 0, c->w.size - 1, 0);
}

static void allreduce(struct call *c) {
    ISSUE(c, Allreduce, allreduce, IN(c), c->out, c->n, c->type, c->op);
}

static void allreduce_check(const struct call *c) {
    sums(c, c->n, c->w.size - 1, 0);
}

static void scan(struct call *c) {
    ISSUE(c, Scan, scan, IN(c), c->out, c->n, c->type, c->op);
}

static void scan_check(const struct call *c) {
    sums(c, c->n, c->w.rank, 0);
}

static void exscan(struct call *c) {
    ISSUE(c, Exscan, exscan, IN(c), c->out, c->n, c->type, c->op);
}

static void exscan_check(const struct call *c) {
    if (c->w.rank)
        sums(c, c->n, c->w.rank - 1, 0);
}

static void blocks_place(struct call *c) {
    call_place(c, 0, c->n * c->w.size);
}

static void reduce_scatter_block(struct call *c) {
    ISSUE(c, Reduce_scatter_block, reduce_scatter_block, IN(c), c->out, c->n, c->type, c->op);
}

static void blocks_check(const struct call *c) {
    sums(c, c->n, c->w.size - 1, c->w.rank * c->n);
}

static void reduce_scatter(struct call *c) {
    ISSUE_SMALL(c, Reduce_scatter, reduce_scatter, IN(c), c->out, c->count, c->type, c->op);
}

static void reduce_scatter_check(const struct call *c) {
    int first = 0;
    for (int r = 0; r < c->w.rank; r++)
        first += c->count[r];
    sums(c, c->count[c->w.rank], c->w.size - 1, first);
}

const struct kind folds[] = {
    {.folds = true, .place = reduce_place, .issue = reduce, .check = reduce_check},
    {.folds = true, .place = place, .issue = allreduce, .check = allreduce_check},
    {.folds = true, .place = place, .issue = scan, .check = scan_check},
    {.folds = true, .place = place, .issue = exscan, .check = exscan_check},
    {.folds = true, .place = blocks_place, .issue = reduce_scatter_block, .check = blocks_check},
    {.folds = true, .place = blocks_place, .issue = reduce_scatter, .check = reduce_scatter_check},
};
const int folds_count = sizeof folds / sizeof *folds;
