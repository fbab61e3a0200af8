/* The buffers' contents before a call, and their expected contents after it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { GUARD = 64 };

/* Room for one element of any type. */
union element {
    unsigned char byte[64];
    long double aligned;
};

/* ---- what a rank of the other group (or of the only one) contributes */

static struct rng contribution(const struct plan *p, int rank, int index) {
    return rng_step(p->walk, (uint64_t)p->source[rank] << 16 | (uint64_t)index, VALUE);
}

/* `rank` of `ranks` contributes. */
static void draw(const struct plan *p, struct rng block, int rank, int ranks, long element, void *at) {
    struct manner manner = {p->operation, rank, ranks};
    block.state += (uint64_t)element * UINT64_C(0x9e3779b97f4a7c15);
    p->basic->draw(at, rng_next(&block), &manner);
}

static long double slack(const struct plan *p, long double sum, const void *result) {
    bool rounds = p->operation == OP_SUM || p->operation == OP_PROD || p->operation == OP_JOIN;
    bool complex_product = p->basic->family == COMPLEX && p->operation == OP_PROD;
    if (!p->basic->magnitude || !rounds || (options.rank_order && !complex_product && !p->circle->inter))
        return 0;
    long double size = p->operation == OP_PROD ? p->basic->magnitude(result) : sum;
    return size * p->basic->epsilon * 4 * p->other;
}

/* The element that must arrive, and by how much it may differ. */
static long double expect(const struct plan *p, const struct rng *from, const struct block *b, long element,
                          union element *want) {
    long double sum = 0;
    for (int k = b->first; k <= b->last; k++) {
        union element one;
        memset(&one, FILL, sizeof one);
        draw(p, from[k - b->first], k, p->other, element, k == b->first ? want : &one);
        if (p->basic->magnitude)
            sum += p->basic->magnitude(k == b->first ? want : &one);
        if (k > b->first)
            p->basic->fold(p->operation, want, &one);
    }
    return slack(p, sum, want);
}

/* ---- before */

static void allocate(struct plan *p, struct side *s) {
    ptrdiff_t low = 0, high = 0, size = (ptrdiff_t)p->basic->size;
    for (int i = 0; i < s->blocks; i++)
        for (int k = 0; k < s->layout.per && s->block[i].elements > 0; k++) {
            ptrdiff_t first = s->block[i].at + s->layout.offset[k];
            ptrdiff_t last = first + (s->block[i].elements / s->layout.per - 1) * s->layout.extent;
            low = first < low ? first : low;
            high = last + size > high ? last + size : high;
        }
    s->bytes = (size_t)(high - low) + 2 * GUARD;
    s->memory = malloc(s->bytes);
    if (!s->memory)
        fail(p->walk, "no memory for %zu bytes", s->bytes);
    memset(s->memory, FILL, s->bytes);
    s->base = s->memory + GUARD - low;
}

/* This rank's own elements, as it puts them into block `to`. */
static void write_block(struct plan *p, struct side *s, const struct block *to, int index) {
    struct rng block = rng_step(p->walk, (uint64_t)p->walk->me << 16 | (uint64_t)index, VALUE);
    for (long e = 0; e < to->elements; e++)
        draw(p, block, p->circle->rank, p->own, e, s->base + to->at + layout_at(&s->layout, e));
}

/* Write this rank's input to the place of the results, for MPI_IN_PLACE. */
static void write_in_place(struct plan *p) {
    struct side *s = &p->receive;
    if (p->what == Alltoall || p->what == Alltoallv || p->what == Alltoallw)
        for (int i = 0; i < s->blocks; i++)
            write_block(p, s, &s->block[i], i);
    else if (plan_reduces(p->what))
        write_block(p, s, &s->block[0], 0);
    else
        write_block(p, s, &s->block[p->circle->rank], 0);
}

/* The whole vector lies where this rank's part of the result will come. */
static void write_scattered_in_place(struct plan *p) {
    struct side *s = &p->receive;
    long total = 0, elements = s->block[0].elements;
    for (int i = 0; i < p->send.blocks; i++)
        total += p->send.block[i].elements;
    s->block[0].elements = total;
    allocate(p, s);
    s->block[0].elements = elements;
    for (int i = 0; i < p->send.blocks; i++)
        write_block(p, s, &p->send.block[i], i);
    s->blocks = 2;
    s->block[1] =
        (struct block){.elements = total - elements, .at = elements * (long)p->basic->size, .unknown = true};
}

void check_fill(struct plan *p) {
    struct side *send = &p->send, *receive = &p->receive;
    bool in_place = plan_in_place(p), scatter = p->what == Scatter || p->what == Scatterv;
    static unsigned char nothing; /* MPICH 4.0 looks at buffers that do not count between two groups */
    if (p->circle->inter)
        send->base = receive->base = &nothing;
    if (in_place && scatter)
        receive->used = false;
    if (in_place && (p->what == Reduce_scatter || p->what == Reduce_scatter_block)) {
        write_scattered_in_place(p);
        return;
    }
    if (receive->used)
        allocate(p, receive);
    if (in_place && !scatter) {
        write_in_place(p);
        return;
    }
    if (!send->used)
        return;
    allocate(p, send);
    for (int i = 0; i < send->blocks; i++)
        write_block(p, send, &send->block[i], send->block[i].index);
    send->before = malloc(send->bytes);
    if (!send->before)
        fail(p->walk, "no memory for %zu bytes", send->bytes);
    memcpy(send->before, send->memory, send->bytes);
}

/* ---- afterwards */

static void hexadecimal(char *text, const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
}

static _Noreturn void wrong_element(const struct plan *p, int block, long element, const union element *want,
                                    const unsigned char *got) {
    char expected[2 * sizeof *want + 1], received[2 * sizeof *want + 1];
    hexadecimal(expected, want->byte, p->basic->size);
    hexadecimal(received, got, p->basic->size);
    fail(p->walk, "block %d of %d, element %ld of %ld: expected %s, received %s", block, p->receive.blocks,
         element, p->receive.block[block].elements, expected, received);
}

/* Afterwards the block is as if nothing had been received. */
static void compare_block(struct plan *p, int number) {
    const struct side *s = &p->receive;
    const struct block *b = &s->block[number];
    struct rng from[MAX_RANKS];
    for (int k = b->first; k <= b->last; k++)
        from[k - b->first] = contribution(p, k, b->index);
    for (long e = 0; e < b->elements; e++) {
        unsigned char *got = s->base + b->at + layout_at(&s->layout, e);
        union element want;
        memset(&want, FILL, sizeof want);
        long double differs = b->unknown ? 0 : expect(p, from, b, e, &want);
        if (!b->unknown && !p->basic->equal(&want, got, differs))
            wrong_element(p, number, e, &want, got);
        memset(got, FILL, p->basic->size);
    }
}

void check_compare(struct plan *p) {
    const struct side *s = &p->receive;
    if (p->send.before && memcmp(p->send.before, p->send.memory, p->send.bytes) != 0)
        fail(p->walk, "the send buffer was changed");
    if (!s->used)
        return;
    for (int i = 0; i < s->blocks; i++)
        compare_block(p, i);
    for (size_t i = 0; i < s->bytes; i++)
        if (s->memory[i] != FILL)
            fail(p->walk, "byte %td was written, where nothing was to be received", &s->memory[i] - s->base);
}
