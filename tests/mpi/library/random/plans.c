/* The plans of epochs, which all ranks make alike, and what they come to. */

#include "windows.h"

#include <string.h>

/* The operations that combine elements, of which the order does not matter. */
static uint64_t combine(int op, uint64_t a, uint64_t b) {
    const uint64_t results[] = {a + b, a ^ b, a > b ? a : b, a < b ? a : b, a | b, a & b};
    return results[op];
}

static bool fits(const struct window *v, enum access_kind kind) {
    if (kind == STORE)
        return passive(v) && v->flavor == SHARED_MEMORY;
    return kind != PUT_GET || passive(v);
}

static struct access draw_access(const struct window *v, struct rng *r, int by, int slice) {
    struct access a = {.by = by, .slice = slice, .request = MPI_REQUEST_NULL};
    do
        a.kind = (enum access_kind)rng_below(r, ACCESS_KINDS);
    while (!fits(v, a.kind));
    a.to = v->reach ? (by + v->reach) % v->w.size : rng_below(r, v->w.size);
    a.n = 1 + rng_below(r, a.kind <= STORE ? v->slice : COMMON);
    a.first = a.kind <= STORE ? 0 : rng_below(r, COMMON - a.n + 1);
    a.here = 1 + rng_below(r, 2);
    a.there = 1 + rng_below(r, 2);
    a.asks = passive(v) && a.kind != PUT_GET && rng_below(r, 2);
    a.settles = passive(v) && rng_below(r, 2);
    return a;
}

uint64_t number_of(const struct window *v, const struct access *a, int i) {
    int name = a->by * ACCESSES + a->slice;
    return (uint64_t)value_of(&v->w, name, 2 * i) << 32 | value_of(&v->w, name, 2 * i + 1);
}

/* Let the model do it. */
static void apply(struct window *v, const struct access *a) {
    struct head *head = (struct head *)model_of(v, a->to);
    word *slice = (word *)(model_of(v, a->to) + slice_at(v, a->by, a->slice));
    switch (a->kind) {
    case PUT:
    case PUT_GET:
    case STORE:
        for (int i = 0; i < a->n; i++)
            slice[i * a->there] = (word)number_of(v, a, i);
        break;
    case COMBINE:
    case FETCH_COMBINE:
        for (int i = 0; i < a->n; i++)
            head->common[a->first + i] = combine(v->op, head->common[a->first + i], number_of(v, a, i));
        break;
    case COUNT:
        head->count++;
        v->counts[a->to]++;
        break;
    case SWAP:
        v->swaps[a->to]++;
        break;
    default:
        break;
    }
}

void plan_epoch(struct window *v) {
    struct rng r = rng_for(v->w.seed, (uint64_t)v->w.round, 91, (uint64_t)v->w.size);
    v->epoch = (enum epoch)(1 + rng_below(&r, EPOCHS - 1));
    v->reach = v->epoch == POST && rng_below(&r, 2) ? 1 + rng_below(&r, v->w.size) : 0;
    v->op = rng_below(&r, 6);
    v->n = 1 + rng_below(&r, ACCESSES);
    memset(v->counts, 0, sizeof v->counts);
    memset(v->swaps, 0, sizeof v->swaps);
    for (int to = 0; to < v->w.size; to++)
        memcpy(&v->before[to], model_of(v, to), sizeof *v->before);
    for (int by = 0; by < v->w.size; by++)
        for (int k = 0; k < v->n; k++) {
            struct rng own = rng_for(v->w.seed, (uint64_t)v->w.round, 92, (uint64_t)(by * ACCESSES + k));
            struct access a = draw_access(v, &own, by, k);
            apply(v, &a);
            if (by == v->w.rank)
                v->mine[k] = a;
        }
}
