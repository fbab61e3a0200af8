/* Collectives whose data only move. */

#include "call.h"

#include <string.h>

/* `n` elements of the result at `from` are elements of rank r's data from `first` on. */
static void same(const struct call *c, int from, int n, int r, int first) {
    for (int i = 0; i < n; i++)
        CHECK(c->out[(from + i) * c->step] == value_of(&c->w, r, first + i));
}

static bool is_root(const struct call *c) {
    return c->w.rank == c->root;
}

static void barrier(struct call *c) {
    if (c->form == AT_ONCE)
        GOOD(MPI_Barrier(c->w.comm));
    else if (c->form == BEGUN)
        GOOD(MPI_Ibarrier(c->w.comm, &c->request));
    else
        GOOD(MPI_Barrier_init(c->w.comm, MPI_INFO_NULL, &c->request));
}

static void barrier_check(const struct call *c) {
    (void)c;
}

static void bcast_place(struct call *c) {
    if (is_root(c))
        memcpy(c->out, c->in, (size_t)(c->n * c->step) * sizeof *c->in);
}

static void bcast(struct call *c) {
    ISSUE(c, Bcast, bcast, c->out, c->n, c->type, c->root);
}

static void bcast_check(const struct call *c) {
    same(c, 0, c->n, c->root, 0);
}

static void gather_place(struct call *c) {
    if (is_root(c))
        call_place(c, c->root * c->n, c->n);
}

static void gather(struct call *c) {
    ISSUE(c, Gather, gather, is_root(c) ? IN(c) : c->in, c->n, c->type, c->out, c->n, c->type, c->root);
}

static void all_even(const struct call *c) {
    for (int r = 0; r < c->w.size; r++)
        same(c, r * c->n, c->n, r, 0);
}

static void gather_check(const struct call *c) {
    if (is_root(c))
        all_even(c);
}

static void gatherv_place(struct call *c) {
    if (is_root(c))
        call_place(c, c->at[c->root], c->count[c->root]);
}

static void gatherv(struct call *c) {
    ISSUE_SMALL(c, Gatherv, gatherv, is_root(c) ? IN(c) : c->in, c->count[c->w.rank], c->type, c->out,
                c->count, c->at, c->type, c->root);
}

static void all_varied(const struct call *c) {
    for (int r = 0; r < c->w.size; r++)
        same(c, c->at[r], c->count[r], r, 0);
    CHECK(c->out[c->total * c->step] == UNTOUCHED);
}

static void gatherv_check(const struct call *c) {
    if (is_root(c))
        all_varied(c);
}

static void scatter_place(struct call *c) {
    c->in_place &= is_root(c);
}

static void scatter(struct call *c) {
    void *out = c->in_place ? MPI_IN_PLACE : (void *)c->out;
    ISSUE(c, Scatter, scatter, c->in, c->n, c->type, out, c->n, c->type, c->root);
}

static void scatter_check(const struct call *c) {
    if (!c->in_place)
        same(c, 0, c->n, c->root, c->w.rank * c->n);
}

static void scatterv(struct call *c) {
    void *out = c->in_place ? MPI_IN_PLACE : (void *)c->out;
    ISSUE_SMALL(c, Scatterv, scatterv, c->in, c->count, c->at, c->type, out, c->count[c->w.rank], c->type,
                c->root);
}

static void scatterv_check(const struct call *c) {
    int own = c->w.rank;
    if (!c->in_place)
        same(c, 0, c->count[own], c->root, c->at[own]);
    CHECK(c->out[c->count[own] * c->step] == UNTOUCHED);
}

static void allgather_place(struct call *c) {
    call_place(c, c->w.rank * c->n, c->n);
}

static void allgather(struct call *c) {
    ISSUE(c, Allgather, allgather, IN(c), c->n, c->type, c->out, c->n, c->type);
}

static void allgatherv_place(struct call *c) {
    call_place(c, c->at[c->w.rank], c->count[c->w.rank]);
}

static void allgatherv(struct call *c) {
    ISSUE_SMALL(c, Allgatherv, allgatherv, IN(c), c->count[c->w.rank], c->type, c->out, c->count, c->at,
                c->type);
}

static void alltoall_place(struct call *c) {
    call_place(c, 0, c->n * c->w.size);
}

static void alltoall(struct call *c) {
    ISSUE(c, Alltoall, alltoall, IN(c), c->n, c->type, c->out, c->n, c->type);
}

static void alltoall_check(const struct call *c) {
    for (int r = 0; r < c->w.size; r++)
        same(c, r * c->n, c->n, r, c->w.rank * c->n);
}

/* Rank r sends count[r] elements to each rank, which are at those places in its data; in place, the same
 * number to all, from and to the same places. */
static void alltoallv_place(struct call *c) {
    for (int r = 0; r < c->w.size; r++) {
        c->sent[r] = c->count[c->w.rank];
        c->from[r] = r * (c->n + 1);
        if (c->in_place) {
            c->count[r] = c->count[0];
            c->at[r] = c->from[r];
        }
    }
    c->total = c->in_place ? (c->n + 1) * c->w.size : c->total;
    call_place(c, 0, (c->n + 1) * c->w.size);
}

static void alltoallv(struct call *c) {
    ISSUE_SMALL(c, Alltoallv, alltoallv, IN(c), c->sent, c->from, c->type, c->out, c->count, c->at, c->type);
}

static void alltoallv_check(const struct call *c) {
    for (int r = 0; r < c->w.size; r++)
        same(c, c->at[r], c->count[r], r, c->w.rank * (c->n + 1));
}

static void alltoallw_place(struct call *c) {
    c->in_place = false;
    alltoallv_place(c);
    for (int r = 0; r < c->w.size; r++) {
        c->types[r] = c->type;
        c->from[r] = r * (c->n + 1) * c->step * (int)sizeof(word);
    }
}

static void alltoallw(struct call *c) {
    for (int r = 0; r < c->w.size; r++)
        c->at[r] *= c->step * (int)sizeof(word);
    ISSUE_SMALL(c, Alltoallw, alltoallw, c->in, c->sent, c->from, c->types, c->out, c->count, c->at,
                c->types);
}

static void alltoallw_check(const struct call *c) {
    for (int r = 0; r < c->w.size; r++)
        same(c, c->at[r] / c->step / (int)sizeof(word), c->count[r], r, c->w.rank * (c->n + 1));
}

const struct kind moves[] = {
    {.issue = barrier, .check = barrier_check},
    {.place = bcast_place, .issue = bcast, .check = bcast_check},
    {.place = gather_place, .issue = gather, .check = gather_check},
    {.place = gatherv_place, .issue = gatherv, .check = gatherv_check},
    {.place = scatter_place, .issue = scatter, .check = scatter_check},
    {.place = scatter_place, .issue = scatterv, .check = scatterv_check},
    {.place = allgather_place, .issue = allgather, .check = all_even},
    {.place = allgatherv_place, .issue = allgatherv, .check = all_varied},
    {.place = alltoall_place, .issue = alltoall, .check = alltoall_check},
    {.place = alltoallv_place, .issue = alltoallv, .check = alltoallv_check},
    {.place = alltoallw_place, .issue = alltoallw, .check = alltoallw_check},
};
const int moves_count = sizeof moves / sizeof *moves;
