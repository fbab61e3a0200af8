/* PAPERS1, simulated: any number of disjoint groups at a time, and each PE's own choice of NAND, putget and
 * waitvec. */

#include "engine/group.h"
#include "engine/rendezvous.h"
#include "simulated.h"

/* ---- the bits of all, one after the other: a waitvec for each ------------------------------------------ */

static uint32_t put_bit(const struct uno_passage *p, const void *context, int i) {
    (void)context;
    return UNO_POST_WAITVEC | (uint32_t)(p->in[i / 64] >> i % 64 & 1) << UNO_POST_DATUM;
}

static void take_vector(struct uno_passage *p, void *context, int i, uint32_t result) {
    (void)context;
    for (int m = 0; m < p->pe->group.size; m++)
        p->rtl->word[m][i / 64] |= (uint64_t)(result >> p->rtl->member[m] & 1) << i % 64;
}

static void votes(struct uno_passage *p, int bits) {
    uno_rtl_exchange(p, bits, put_bit, take_vector, NULL);
}

/* ---- the data of others: putgets ------------------------------------------------------------------------
 */

/* Fetches all of the data of one member, then of the next. */
struct fetches {
    const uint64_t *put;
    int first; /* rank of the member to begin with, counted round */
    int each;  /* posts for each */
};

static int source(const struct uno_passage *p, const struct fetches *f, int i) {
    return (f->first + i / f->each) % p->pe->group.size;
}

static uint32_t put_part(const struct uno_passage *p, const void *context, int i) {
    const struct fetches *f = context;
    return UNO_POST_PUTGET | (uint32_t)p->rtl->member[source(p, f, i)] << UNO_POST_SOURCE |
           uno_rtl_part_of(f->put, i % f->each) << UNO_POST_DATUM;
}

static void take_part(struct uno_passage *p, void *context, int i, uint32_t result) {
    const struct fetches *f = context;
    uno_rtl_add_part(p->rtl->word[source(p, f, i)], i % f->each, result);
}

static void fetch(struct uno_passage *p, const uint64_t *put, int first, int members, int bits) {
    struct fetches f = {.put = put, .first = first, .each = uno_rtl_posts(bits)};
    uno_rtl_exchange(p, members * f.each, put_part, take_part, &f);
}

static void one(struct uno_passage *p, int bits) {
    fetch(p, p->in, uno_group_rank(&p->pe->group, p->pe->wanted), 1, bits);
}

/* Learn by the shorter of both ways: one bit of all members at a time, or some bits of one. */
static void all(struct uno_passage *p, int bits) {
    int others = p->pe->group.size - 1, rank = p->pe->group.rank;
    if (bits < others * uno_rtl_posts(bits)) {
        votes(p, bits);
        return;
    }
    for (int i = 0; i < bits; i += 64)
        p->rtl->word[rank][i / 64] = p->in[i / 64];
    fetch(p, p->in, rank + 1, others, bits);
}

/* ---- a reduction: a tree of putgets ---------------------------------------------------------------------
 */

/* The value of another member, which gets this one's. */
static uint64_t swap(struct uno_passage *p, uint64_t value, int rank, int bits) {
    p->rtl->word[rank][0] = 0;
    fetch(p, &value, rank, 1, bits);
    return p->rtl->word[rank][0];
}

/* Fold for a number of members that is a power of two: in each step two halves exchange their values. */
static uint64_t fold_halves(struct uno_passage *p, const struct uno_function *function) {
    int size = p->pe->group.size, rank = p->pe->group.rank;
    uint64_t value = p->in[0];
    for (int step = 1; step < size; step *= 2) {
        uint64_t other = swap(p, value, rank ^ step, function->bits);
        uint64_t left = rank & step ? other : value, right = rank & step ? value : other;
        function->combine(&left, &right);
        value = left;
    }
    return value;
}

/* Fold for any number of members: a tree to the first member, which then has every value; and all fetch the
 * result from it. */
static uint64_t fold_tree(struct uno_passage *p, const struct uno_function *function) {
    int size = p->pe->group.size, rank = p->pe->group.rank;
    uint64_t value = p->in[0];
    for (int step = 1; step < size; step *= 2) {
        bool takes = rank % (2 * step) == 0 && rank + step < size;
        uint64_t other = swap(p, value, takes ? rank + step : rank, function->bits);
        if (takes)
            function->combine(&value, &other);
    }
    return swap(p, value, 0, function->bits);
}

static int tree_steps(int size) {
    int steps = 0;
    while (1 << steps < size)
        steps++;
    return steps;
}

static void fold(struct uno_passage *p, const struct uno_function *function) {
    int size = p->pe->group.size, bits = function->bits;
    bool power = (size & (size - 1)) == 0;
    int steps = tree_steps(size) + !power, posts = steps * uno_rtl_posts(bits);
    uint64_t value;
    if (posts <= bits && steps < size - 1 + power) {
        value = power ? fold_halves(p, function) : fold_tree(p, function);
    } else {
        all(p, bits);
        value = p->rtl->word[0][0];
        for (int m = 1; m < size; m++)
            function->combine(&value, p->rtl->word[m]);
    }
    p->rtl->word[0][0] = value & uno_rtl_low(bits);
}

const struct uno_ways uno_papers1_ways = {.all = all, .votes = votes, .one = one, .fold = fold};

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    return uno_rtl_meet(pe, signature, in, words, &uno_papers1_ways);
}

const struct uno_unit uno_unit_papers1 = {
    .begin = uno_rtl_begin,
    .meet = meet,
    .leave = uno_board_leave,
    .interrupt = uno_rtl_interrupt,
    .part = uno_simulated_part,
};
