/* One collective of a round, compared with what a loop over all ranks gives. Element i of rank r's data is
 * value_of(r, i). */

#include "random.h"

#include <stdbool.h>
#include <string.h>

typedef uint32_t word;

/* Not associative, and not commutative: the result tells the order. */
static void fold(void *in, void *inout, int *n, MPI_Datatype *type) {
    CHECK(*type == MPI_UINT32_T);
    for (int i = 0; i < *n; i++)
        ((word *)inout)[i] = ((word *)in)[i] * 31 + ((word *)inout)[i];
}

struct call {
    struct world *w;
    int root, n; /* elements of a block */
    bool in_place, own_op;
    MPI_Op op;
    int count[64], at[64]; /* of each rank, where they differ */
    int total;
    word *in, *out;
};

static word combine(const struct call *c, word a, word b) {
    return c->own_op ? a * 31 + b : a + b;
}

/* Of ranks 0 to last. */
static word combined(const struct call *c, int last, int i) {
    word result = value_of(c->w, 0, i);
    for (int r = 1; r <= last; r++)
        result = combine(c, result, value_of(c->w, r, i));
    return result;
}

static void prepare(struct call *c, struct world *w) {
    static const int lengths[] = {0, 1, 2, 12, 13, 100, 5000, 40000};
    struct rng *r = &w->all;
    *c = (struct call){.w = w, .root = rng_below(r, w->size), .n = lengths[rng_below(r, 8)]};
    c->n = c->n > 5000 && w->size > 4 ? 5000 : c->n;
    c->in_place = rng_below(r, 2);
    c->own_op = rng_below(r, 2);
    for (int i = 0; i < w->size; i++) {
        c->count[i] = c->n ? rng_below(r, c->n) : 0;
        c->at[i] = c->total;
        c->total += c->count[i] + rng_below(r, 2);
    }
    int most = (c->n + 2) * w->size + 1;
    c->in = malloc((size_t)most * sizeof *c->in);
    c->out = malloc((size_t)most * sizeof *c->out);
    for (int i = 0; i < most; i++) {
        c->in[i] = value_of(w, w->rank, i);
        c->out[i] = 0xdddddddd;
    }
    c->op = MPI_SUM;
    if (c->own_op)
        GOOD(MPI_Op_create(fold, 0, &c->op));
}

/* `n` elements of the result at `from` are elements of rank r's data from `first` on. */
static void same(const struct call *c, int from, int n, int r, int first) {
    for (int i = 0; i < n; i++)
        CHECK(c->out[from + i] == value_of(c->w, r, first + i));
}

#define IN(c) ((c)->in_place ? MPI_IN_PLACE : (void *)(c)->in)
#define TYPE MPI_UINT32_T

/* ---- data that move --------------------------------------------------------------------------------------
 */

static void bcast(struct call *c) {
    memcpy(c->out, c->in, (size_t)c->n * sizeof *c->in);
    GOOD(MPI_Bcast(c->out, c->n, TYPE, c->root, c->w->comm));
    same(c, 0, c->n, c->root, 0);
}

static void gather(struct call *c) {
    bool mine = c->w->rank == c->root, in_place = mine && c->in_place;
    if (in_place)
        memcpy(c->out + c->root * c->n, c->in, (size_t)c->n * sizeof *c->in);
    GOOD(MPI_Gather(in_place ? MPI_IN_PLACE : (void *)c->in, c->n, TYPE, c->out, c->n, TYPE, c->root,
                    c->w->comm));
    for (int r = 0; mine && r < c->w->size; r++)
        same(c, r * c->n, c->n, r, 0);
}

static void gatherv(struct call *c) {
    bool mine = c->w->rank == c->root;
    GOOD(MPI_Gatherv(c->in, c->count[c->w->rank], TYPE, c->out, c->count, c->at, TYPE, c->root, c->w->comm));
    for (int r = 0; mine && r < c->w->size; r++)
        same(c, c->at[r], c->count[r], r, 0);
    CHECK(c->out[c->total] == 0xdddddddd);
}

static void scatter(struct call *c) {
    GOOD(MPI_Scatter(c->in, c->n, TYPE, c->out, c->n, TYPE, c->root, c->w->comm));
    same(c, 0, c->n, c->root, c->w->rank * c->n);
}

static void scatterv(struct call *c) {
    int own = c->w->rank;
    GOOD(MPI_Scatterv(c->in, c->count, c->at, TYPE, c->out, c->count[own], TYPE, c->root, c->w->comm));
    same(c, 0, c->count[own], c->root, c->at[own]);
    CHECK(c->out[c->count[own]] == 0xdddddddd);
}

static void allgather(struct call *c) {
    if (c->in_place)
        memcpy(c->out + c->w->rank * c->n, c->in, (size_t)c->n * sizeof *c->in);
    GOOD(MPI_Allgather(IN(c), c->n, TYPE, c->out, c->n, TYPE, c->w->comm));
    for (int r = 0; r < c->w->size; r++)
        same(c, r * c->n, c->n, r, 0);
}

static void allgatherv(struct call *c) {
    int own = c->w->rank;
    if (c->in_place)
        memcpy(c->out + c->at[own], c->in, (size_t)c->count[own] * sizeof *c->in);
    GOOD(MPI_Allgatherv(IN(c), c->count[own], TYPE, c->out, c->count, c->at, TYPE, c->w->comm));
    for (int r = 0; r < c->w->size; r++)
        same(c, c->at[r], c->count[r], r, 0);
}

static void alltoall(struct call *c) {
    if (c->in_place)
        memcpy(c->out, c->in, (size_t)c->n * (size_t)c->w->size * sizeof *c->in);
    GOOD(MPI_Alltoall(IN(c), c->n, TYPE, c->out, c->n, TYPE, c->w->comm));
    for (int r = 0; r < c->w->size; r++)
        same(c, r * c->n, c->n, r, c->w->rank * c->n);
}

/* Rank r sends count[r] elements to each rank, which are at those places in its data. */
static void alltoallv(struct call *c) {
    int own = c->w->rank, counts[64], at[64];
    for (int r = 0; r < c->w->size; r++) {
        counts[r] = c->count[own];
        at[r] = r * (c->n + 1);
    }
    GOOD(MPI_Alltoallv(c->in, counts, at, TYPE, c->out, c->count, c->at, TYPE, c->w->comm));
    for (int r = 0; r < c->w->size; r++)
        same(c, c->at[r], c->count[r], r, own * (c->n + 1));
}

/* ---- data that are combined ------------------------------------------------------------------------------
 */

/* `n` results at `from` are the combined elements of ranks 0 to last, from `first` on. */
static void sums(const struct call *c, int from, int n, int last, int first) {
    for (int i = 0; i < n; i++)
        CHECK(c->out[from + i] == combined(c, last, first + i));
}

static void place(struct call *c, int n) {
    if (c->in_place)
        memcpy(c->out, c->in, (size_t)n * sizeof *c->in);
}

static void reduce(struct call *c) {
    bool mine = c->w->rank == c->root, in_place = mine && c->in_place;
    place(c, c->n);
    GOOD(MPI_Reduce(in_place ? MPI_IN_PLACE : (void *)c->in, c->out, c->n, TYPE, c->op, c->root, c->w->comm));
    if (mine)
        sums(c, 0, c->n, c->w->size - 1, 0);
}

static void allreduce(struct call *c) {
    place(c, c->n);
    GOOD(MPI_Allreduce(IN(c), c->out, c->n, TYPE, c->op, c->w->comm));
    sums(c, 0, c->n, c->w->size - 1, 0);
}

static void scan(struct call *c) {
    place(c, c->n);
    GOOD(MPI_Scan(IN(c), c->out, c->n, TYPE, c->op, c->w->comm));
    sums(c, 0, c->n, c->w->rank, 0);
}

static void exscan(struct call *c) {
    place(c, c->n);
    GOOD(MPI_Exscan_c(IN(c), c->out, c->n, TYPE, c->op, c->w->comm));
    if (c->w->rank)
        sums(c, 0, c->n, c->w->rank - 1, 0);
}

static void reduce_scatter_block(struct call *c) {
    place(c, c->n * c->w->size);
    GOOD(MPI_Reduce_scatter_block(IN(c), c->out, c->n, TYPE, c->op, c->w->comm));
    sums(c, 0, c->n, c->w->size - 1, c->w->rank * c->n);
}

static void reduce_scatter(struct call *c) {
    int first = 0, all = 0;
    for (int r = 0; r < c->w->size; r++) {
        first += r < c->w->rank ? c->count[r] : 0;
        all += c->count[r];
    }
    place(c, all);
    GOOD(MPI_Reduce_scatter(IN(c), c->out, c->count, TYPE, c->op, c->w->comm));
    sums(c, 0, c->count[c->w->rank], c->w->size - 1, first);
}

static void barrier(struct call *c) {
    GOOD(MPI_Barrier(c->w->comm));
}

void collective_round(struct world *w) {
    static void (*const calls[])(struct call *) = {
        barrier,       bcast,     gather,     gatherv,  scatter,
        scatterv,      allgather, allgatherv, alltoall, alltoallv,
        reduce,        allreduce, scan,       exscan,   reduce_scatter_block,
        reduce_scatter};
    struct call c;
    prepare(&c, w);
    calls[rng_below(&w->all, sizeof calls / sizeof *calls)](&c);
    if (c.own_op)
        GOOD(MPI_Op_free(&c.op));
    free(c.in);
    free(c.out);
}
