/* Calls of any kind: their data, and their ends. */

#include "call.h"

#include <string.h>

/* An operation that is not associative, and not commutative: the result shows the order. */
static void fold(void *in, void *inout, int *n, MPI_Datatype *type) {
    int step = *type == MPI_UINT32_T ? 1 : 2;
    for (int i = 0; i < *n * step; i += step)
        ((word *)inout)[i] = ((word *)in)[i] * 31 + ((word *)inout)[i];
}

/* Elements of the type, so many words apart. */
static void choose_type(struct call *c) {
    c->type = MPI_UINT32_T;
    if (c->step == 1)
        return;
    GOOD(MPI_Type_create_resized(MPI_UINT32_T, 0, 2 * sizeof(word), &c->type));
    GOOD(MPI_Type_commit(&c->type));
}

void call_prepare(struct call *c, const struct world *w, enum form form) {
    static const int lengths[] = {0, 1, 2, 12, 13, 100, 700, 5000, 40000};
    *c = (struct call){.w = *w, .form = form, .request = MPI_REQUEST_NULL};
    struct rng *r = &c->w.all;
    int which = rng_below(r, moves_count + folds_count), longest = w->size > 4 ? 7 : 9;
    c->kind = which < moves_count ? &moves[which] : &folds[which - moves_count];
    c->root = rng_below(r, w->size);
    c->n = lengths[rng_below(r, rng_below(r, 4) ? 6 : longest)];
    c->in_place = rng_below(r, 2);
    c->own_op = rng_below(r, 2);
    c->large = rng_below(r, 2);
    c->step = 1 + (rng_below(r, 2) + (c->kind->folds ? 0 : w->rank)) % 2;
    if (c->kind->folds && !c->own_op)
        c->step = 1;
    for (int i = 0; i < w->size; i++) {
        c->count[i] = c->n ? rng_below(r, c->n) : 0;
        c->at[i] = c->total;
        c->total += c->count[i] + rng_below(r, 2);
    }
    c->words = ((c->n + 2) * w->size + 1) * c->step;
    c->in = malloc((size_t)c->words * sizeof *c->in);
    c->out = malloc((size_t)c->words * sizeof *c->out);
    choose_type(c);
    c->op = MPI_SUM;
    if (c->own_op)
        GOOD(MPI_Op_create(fold, 0, &c->op));
}

static void fill(struct call *c) {
    for (int i = 0; i < c->words; i++)
        c->in[i] = c->out[i] = UNTOUCHED;
    for (int i = 0; i < c->words / c->step; i++)
        c->in[i * c->step] = value_of(&c->w, c->w.rank, i);
    if (c->kind->place)
        c->kind->place(c);
}

void call_place(struct call *c, int to, int n) {
    if (c->in_place)
        memcpy(c->out + to * c->step, c->in, (size_t)(n * c->step) * sizeof *c->in);
}

void call_issue(struct call *c) {
    fill(c);
    c->kind->issue(c);
    if (c->form == MADE)
        return;
    /* the call holds the objects that it needs */
    if (c->step == 2)
        GOOD(MPI_Type_free(&c->type));
    if (c->own_op)
        GOOD(MPI_Op_free(&c->op));
}

void call_start(struct call *c) {
    fill(c);
    GOOD(MPI_Start(&c->request));
}

void call_check(const struct call *c) {
    c->kind->check(c);
    for (int i = 0; c->step == 2 && i < c->words; i += 2)
        CHECK(c->out[i + 1] == UNTOUCHED);
}

void call_end(struct call *c) {
    if (c->form == MADE) {
        GOOD(MPI_Request_free(&c->request));
        if (c->step == 2)
            GOOD(MPI_Type_free(&c->type));
        if (c->own_op)
            GOOD(MPI_Op_free(&c->op));
    }
    CHECK(c->request == MPI_REQUEST_NULL);
    free(c->in);
    free(c->out);
}
