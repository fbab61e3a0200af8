/* The plan of a step: drawn from the seed, the same on every rank; and the buffers of this rank. */

#include <stdlib.h>
#include <string.h>

#include "random.h"

const char *const collective_names[] = {
#define X(name) "MPI_" #name,
    COLLECTIVES(X)
#undef X
};

bool plan_reduces(enum collective what) {
    return what == Reduce || what == Allreduce || what == Scan || what == Exscan || what == Reduce_scatter ||
           what == Reduce_scatter_block;
}

bool plan_rooted(enum collective what) {
    return what == Bcast || what == Reduce || what == Gather || what == Gatherv || what == Scatter ||
           what == Scatterv;
}

/* Return true if blocks may differ in length. */
static bool uneven(enum collective what) {
    return what == Gatherv || what == Scatterv || what == Allgatherv || what == Alltoallv ||
           what == Alltoallw || what == Reduce_scatter;
}

static bool to_each(enum collective what) {
    return what == Alltoall || what == Alltoallv || what == Alltoallw;
}

/* Return true if there is one block for every rank, at every rank or at the root. */
static bool many_blocks(enum collective what) {
    return !(what == Bcast || what == Reduce || what == Allreduce || what == Scan || what == Exscan);
}

bool plan_at_root(const struct plan *p) {
    return p->circle->side == p->root_side && p->circle->rank == p->root;
}

int plan_root_argument(const struct plan *p) {
    if (!p->circle->inter || p->circle->side != p->root_side)
        return p->root;
    return plan_at_root(p) ? MPI_ROOT : MPI_PROC_NULL;
}

bool plan_in_place(const struct plan *p) {
    return p->in_place && (!plan_rooted(p->what) || plan_at_root(p));
}

/* ---- drawing */

/* Draw the bytes of a block: most are small, some at the sizes where the path changes. */
static long draw_bytes(struct rng *r, long size, int parts) {
    long slots = 65536 + (rng_below(r, 3) - 1) * size;
    switch (rng_below(r, 32)) {
    case 0:
    case 1:
        return 0;
    case 2:
        return slots;
    case 3:
        return slots / parts;
    case 4:
        return (2 + rng_below(r, 3)) * slots / (rng_below(r, 2) ? parts : 1);
    case 5:
        return rng_below(r, 4) ? rng_below(r, 65536) : rng_below(r, 2000000) / parts;
    case 6:
    case 7:
        return rng_below(r, 8192);
    case 8:
    case 9:
    case 10:
        return rng_below(r, 1000);
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
    case 16:
        return 48 / (rng_below(r, 2) ? parts : 1) + (rng_below(r, 3) - 1) * size;
    default:
        return size * (1 + rng_below(r, 4));
    }
}

/* Draw a type: one that can be reduced, or any. */
static const struct basic *draw_basic(struct rng *r, bool reduced, enum operation *operation) {
    for (;;) {
        const struct basic *b = &basics[rng_below(r, basic_count)];
        *operation = reduced ? (enum operation)rng_below(r, OPERATION_COUNT) : OPERATION_COUNT;
        if (b->type != MPI_DATATYPE_NULL && (!reduced || operation_takes(*operation, b)))
            return b;
    }
}

static bool may_be_in_place(const struct plan *p) {
    return !p->circle->inter && p->what != Barrier && p->what != Bcast;
}

/* Return true for a collective that is not defined between two groups, or of no use there. */
static bool only_within(enum collective what) {
    return what == Scan || what == Exscan || what == Reduce_scatter || what == Reduce_scatter_block;
}

/* Return true if the library itself is known to be wrong, so that the case cannot be tested. */
static bool library_is_wrong(const struct plan *p) {
    bool alone = p->circle->size[0] == 1 && !p->circle->inter;
#if defined OPEN_MPI /* takes displacements for numbers of elements */
    return p->what == Alltoallw && alone;
#elif defined MPICH_NUMVERSION && MPICH_NUMVERSION < 40100000 /* passes over displacements */
    return p->what == Allgatherv && alone;
#else
    (void)alone;
    return false;
#endif
}

static void draw_collective(struct plan *p, struct rng *r) {
    do {
        p->what = (enum collective)rng_below(r, COLLECTIVE_COUNT);
        p->basic = draw_basic(r, plan_reduces(p->what), &p->operation);
    } while ((p->circle->inter && only_within(p->what)) || library_is_wrong(p) ||
             (options.only && strcmp(options.only, collective_names[p->what] + 4) != 0));
}

void plan_draw(struct plan *p, struct walk *w, const struct circle *c) {
    struct rng r = rng_step(w, 0, STEP);
    *p = (struct plan){.walk = w, .circle = c};
    draw_collective(p, &r);
    p->root_side = c->inter ? rng_below(&r, 2) : 0;
    p->root = rng_below(&r, c->size[p->root_side]);
    p->in_place = may_be_in_place(p) && rng_below(&r, 3) == 0;
    p->large = rng_below(&r, 2) && LARGE_COUNTS;
    p->alike = rng_below(&r, 2) || options.alike;
    p->unit = plan_reduces(p->what) || c->inter || rng_below(&r, 2) ? 1 : MAX_PER;
    int members = c->size[0] > c->size[1] ? c->size[0] : c->size[1];
    long bytes = draw_bytes(&r, (long)p->basic->size, many_blocks(p->what) ? members : 1);
    if (c->inter) /* MPICH 5.0 decides by the size of the own group, which the other does not know */
        bytes = bytes < 500 ? bytes : 500;
    p->elements = bytes <= 0 ? 0 : bytes / (long)p->basic->size;
    p->elements = (p->elements + p->unit - 1) / p->unit * p->unit;
    p->own = c->size[c->side];
    p->other = c->inter ? c->size[!c->side] : p->own;
    p->source = c->member[c->inter ? !c->side : c->side];
}

/* ---- buffers. Ranks of the walk name the ends of a block, so that both ends compute the same. */

static long amount(const struct plan *p, int from, int to) {
    if (!uneven(p->what))
        return p->elements;
    if (p->in_place && to_each(p->what) && from > to)
        return amount(p, to, from);
    struct rng r = rng_step(p->walk, (uint64_t)from << 8 | (uint64_t)to, AMOUNT);
    long units = p->elements / p->unit;
    switch (rng_below(&r, 4)) {
    case 0:
        return 0;
    case 1:
        return p->elements;
    default:
        return (long)(rng_next(&r) % (uint64_t)(units + 1)) * p->unit;
    }
}

static struct block *next_block(struct side *s) {
    s->used = true;
    return &s->block[s->blocks++];
}

static void one_block(struct side *s, int source, int index, long elements) {
    *next_block(s) = (struct block){.first = source, .last = source, .index = index, .elements = elements};
}

/* Describe the data that this rank puts in. source: its own rank. index: the receiving rank, where that
 * matters. */
static void put_in(struct plan *p, struct side *s) {
    const struct circle *c = p->circle;
    int me = c->rank, self = p->walk->me;
    bool rooted = plan_rooted(p->what), at_root = plan_at_root(p),
         from_root = p->what == Bcast || p->what == Scatter || p->what == Scatterv;
    if (p->what == Barrier || (rooted && from_root && !at_root) ||
        (rooted && !from_root && c->inter && c->side == p->root_side))
        return;
    s->used = true;
    int blocks = to_each(p->what) || p->what == Scatter || p->what == Scatterv || p->what == Reduce_scatter ||
                         p->what == Reduce_scatter_block
                     ? p->other
                     : 1;
    for (int i = 0; i < blocks; i++) {
        int to = p->source[i];
        if (to_each(p->what))
            one_block(s, me, i, amount(p, self, to));
        else if (p->what == Gatherv || p->what == Allgatherv)
            one_block(s, me, 0, amount(p, self, 0));
        else
            one_block(s, me, i, amount(p, 0, to));
    }
}

/* Describe the data that this rank must receive. */
static void get_out(struct plan *p, struct side *s) {
    const struct circle *c = p->circle;
    int me = c->rank, self = p->walk->me, all = p->other - 1;
    bool rooted = plan_rooted(p->what), at_root = plan_at_root(p);
    bool from_root = p->what == Bcast || p->what == Scatter || p->what == Scatterv;
    if (p->what == Barrier || (rooted && !from_root && !at_root) ||
        (from_root && c->inter && c->side == p->root_side) || (p->what == Bcast && at_root))
        return;
    s->used = true;
    if (p->what == Bcast)
        one_block(s, p->root, 0, p->elements);
    else if (from_root)
        one_block(s, p->root, me, amount(p, 0, self));
    else if (p->what == Reduce || p->what == Allreduce)
        *next_block(s) = (struct block){.last = all, .elements = p->elements};
    else if (p->what == Scan)
        *next_block(s) = (struct block){.last = me, .elements = p->elements};
    else if (p->what == Exscan) /* in place, the first rank keeps its data */
        *next_block(s) = (struct block){
            .last = me > 0 ? me - 1 : 0, .elements = p->elements, .unknown = me == 0 && !p->in_place};
    else if (p->what == Reduce_scatter || p->what == Reduce_scatter_block)
        *next_block(s) = (struct block){.last = all, .index = me, .elements = amount(p, 0, self)};
    else
        for (int i = 0; i < p->other; i++)
            if (to_each(p->what))
                one_block(s, i, me, amount(p, p->source[i], self));
            else
                one_block(s, i, 0, amount(p, p->source[i], 0));
}

/* Choose displacements, in items of the layout: one block after the other, or anywhere if `scattered`. */
static void place_blocks(const struct plan *p, struct side *s, struct rng *r, bool scattered) {
    int order[MAX_RANKS];
    long next = 0;
    for (int i = 0; i < s->blocks; i++) {
        int other = scattered ? rng_below(r, i + 1) : i;
        order[i] = order[other];
        order[other] = i;
    }
    for (int i = 0; i < s->blocks; i++) {
        struct block *b = &s->block[order[i]];
        long items = b->elements / s->layout.per;
        next += scattered ? rng_below(r, 3) : 0;
        s->count[order[i]] = (int)items;
        s->displacement[order[i]] = (int)(p->what == Alltoallw ? next * s->layout.extent : next);
        s->type[order[i]] = s->layout.type;
        b->at = next * s->layout.extent;
        next += items;
#if LARGE_COUNTS
        s->large_count[order[i]] = items;
        s->large_displacement[order[i]] = s->displacement[order[i]];
#endif
    }
}

static void finish_side(struct plan *p, struct side *s, struct rng *r, bool scattered) {
    if (plan_reduces(p->what) || p->circle->inter)
        layout_plain(&s->layout, p->basic);
    else
        layout_make(&s->layout, p->basic, r, p->unit);
    place_blocks(p, s, r, scattered && uneven(p->what));
}

void plan_sides(struct plan *p) {
    struct rng r = rng_step(p->walk, p->alike ? UINT64_MAX : (uint64_t)p->walk->me, LAYOUT), same = r;
    put_in(p, &p->send);
    get_out(p, &p->receive);
    finish_side(p, &p->send, &r, to_each(p->what) || p->what == Scatterv);
    finish_side(p, &p->receive, p->alike ? &same : &r,
                to_each(p->what) || p->what == Gatherv || p->what == Allgatherv);
}

void plan_free(struct plan *p) {
    struct side *sides[] = {&p->send, &p->receive};
    for (int i = 0; i < 2; i++) {
        layout_free(&sides[i]->layout);
        free(sides[i]->memory);
        free(sides[i]->before);
    }
}
