/* Random exchanges in random groups, of blocks of all sizes, in memory of all kinds; each byte is checked
 * against the value from its sender, which every PE can compute, and so is each byte between the blocks. */

#include <exchange.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { MOST = 1 << 20, ROOM = 3 * MOST, GUARD = 0xa5, FILL = 0x5a };

/* The plan of one exchange, the same at all members of the group. */
struct plan {
    uint64_t mask;
    int size, member[TEST_MAX_PES], rank;
    uint64_t seed; /* for contents and sizes */
};

/* Memory of one PE: from p_alloc, or its own. */
struct place {
    unsigned char *array, *own;
};

static unsigned char content(const struct plan *p, int from, int to, size_t i) {
    uint64_t x =
        p->seed + (uint64_t)from * 0x9e3779b97f4a7c15u + (uint64_t)to * 0xbf58476d1ce4e5b9u + i * 251;
    return (unsigned char)(x ^ x >> 17 ^ x >> 41 ^ i >> 8);
}

/* Return a size: from 0, most of them small, some near the sizes where the path changes. */
static size_t size_of(struct rng *r, size_t most) {
    static const size_t about[] = {0,  1,    6,    8,    12,    16,    24,     48,
                                   64, 1000, 1536, 4096, 16384, 65536, 131072, 262144};
    size_t size = about[rng_below(r, sizeof about / sizeof *about)];
    size += (size_t)rng_below(r, 4) * (size_t)rng_below(r, (int)(size / 3 + 3));
    return size < most ? size : most;
}

static unsigned char *pick(struct rng *r, const struct place *place) {
    unsigned char *data = (rng_next(r) >> 20) % 3 ? place->array : place->own;
    return data + rng_below(r, 3) * rng_below(r, 64);
}

/* The start of block r, and its rows. */
struct shape {
    size_t rows, bytes, block, row;
};

static struct shape shape_of(struct rng *r, size_t rows, size_t bytes, int n) {
    struct shape s = {rows, bytes, 0, bytes + (size_t)rng_below(r, 3) * (size_t)rng_below(r, 40)};
    if (rng_below(r, 4) == 0) { /* blocks beside each other, as the columns of a matrix are */
        s.row = bytes * (size_t)n + (size_t)rng_below(r, 9);
        s.block = bytes;
    } else {
        s.block = s.row * rows + (size_t)rng_below(r, 20);
    }
    return s;
}

static void fill(const struct plan *p, unsigned char *data, const struct shape *s) {
    for (int r = 0; r < p->size; r++)
        for (size_t i = 0; i < s->rows * s->bytes; i++)
            data[(size_t)r * s->block + i / s->bytes * s->row + i % s->bytes] =
                content(p, p->member[p->rank], p->member[r], i);
}

/* Check the blocks, and give them the value of the bytes between them. */
static void check(const struct plan *p, unsigned char *data, const struct shape *s) {
    for (int r = 0; r < p->size; r++)
        for (size_t i = 0; i < s->rows * s->bytes; i++) {
            unsigned char *at = &data[(size_t)r * s->block + i / s->bytes * s->row + i % s->bytes];
            unsigned expected = content(p, p->member[r], p->member[p->rank], i);
            if (*at != expected)
                test_fail("byte %zu of %zu x %zu from PE %d: expected %u, received %u", i, s->rows, s->bytes,
                          p->member[r], expected, *at);
            *at = GUARD;
        }
}

static void check_guard(const unsigned char *data, size_t span) {
    for (size_t i = 0; i < span; i++)
        if (data[i] != GUARD)
            test_fail("byte %zu of %zu has changed, and is in no block", i, span);
}

static size_t span_of(const struct plan *p, const struct shape *s) {
    return s->rows && s->bytes ? (size_t)(p->size - 1) * s->block + (s->rows - 1) * s->row + s->bytes : 0;
}

static void strided(const struct plan *p, struct rng *common, struct rng *own, const struct place *in,
                    const struct place *out) {
    size_t most = MOST / (size_t)p->size, bytes = size_of(common, most), rows = 1;
    bool plain = rng_below(common, 2);
    if (!plain && bytes)
        rows = (size_t)rng_below(common, (int)(most / bytes < 50 ? most / bytes : 50)) + 1;
    struct shape from = {1, bytes, bytes, bytes}, to = from;
    if (!plain) {
        from = shape_of(own, rows, bytes, p->size);
        /* where all want whole blocks the kernel can copy them, but not from rows */
        to = rng_below(common, 2) ? shape_of(own, rows, bytes, p->size)
                                  : (struct shape){rows, bytes, rows * bytes, bytes};
    }
    unsigned char *source = pick(own, in), *target = pick(own, out);
    size_t span = span_of(p, &to) + 100;
    if (span > ROOM - 200 || span_of(p, &from) > ROOM - 200)
        test_fail("no room for %zu x %zu", rows, bytes);
    memset(target, GUARD, span);
    fill(p, source, &from);
    if (plain)
        p_allToAll(target, source, bytes);
    else
        p_allToAllStrided(target, (struct p_stride){to.block, to.row}, source,
                          (struct p_stride){from.block, from.row}, rows, bytes);
    memset(source, FILL, span_of(p, &from)); /* nobody reads it any more */
    check(p, target, &to);
    check_guard(target, span);
}

/* Return the bytes that a member has for another one. */
static size_t varied(const struct plan *p, int from, int to, bool small) {
    struct rng r = rng_for(p->seed, 7, (uint64_t)from, (uint64_t)to);
    size_t bytes = size_of(&r, MOST / (size_t)p->size);
    return small ? bytes % 1000 : bytes;
}

static void any(const struct plan *p, struct rng *common, struct rng *own, const struct place *in,
                const struct place *out) {
    size_t to_bytes[TEST_MAX_PES], to_at[TEST_MAX_PES], from_bytes[TEST_MAX_PES], from_at[TEST_MAX_PES];
    size_t to_sum = 0, from_sum = 0;
    bool small = rng_below(common, 2);
    unsigned char *source = pick(own, in), *target = pick(own, out);
    for (int i = 0; i < p->size; i++) { /* in falling order of places */
        int r = p->size - 1 - i;
        to_bytes[r] = varied(p, p->member[r], p->member[p->rank], small);
        from_bytes[r] = varied(p, p->member[p->rank], p->member[r], small);
        to_at[r] = to_sum += (size_t)rng_below(own, 50);
        from_at[r] = from_sum += (size_t)rng_below(own, 50);
        to_sum += to_bytes[r];
        from_sum += from_bytes[r];
        for (size_t b = 0; b < from_bytes[r]; b++)
            source[from_at[r] + b] = content(p, p->member[p->rank], p->member[r], b);
    }
    memset(target, GUARD, to_sum + 100);
    p_allToAllv(target, to_bytes, to_at, source, from_bytes, from_at);
    memset(source, FILL, from_sum);
    for (int r = 0; r < p->size; r++) {
        for (size_t b = 0; b < to_bytes[r]; b++)
            if (target[to_at[r] + b] != content(p, p->member[r], p->member[p->rank], b))
                test_fail("byte %zu of %zu from PE %d is wrong", b, to_bytes[r], p->member[r]);
        memset(target + to_at[r], GUARD, to_bytes[r]);
    }
    check_guard(target, to_sum + 100);
}

/* Allocate an array of the group: it is zero, and shared by all; a freed array may be allocated again, as
 * zeros. */
static void array(const struct plan *p, struct rng *common) {
    size_t count = size_of(common, MOST) / 8 + (size_t)p->size;
    uint64_t *data = p_alloc(count * 8);
    CHECK(data && (uintptr_t)data % 4096 == 0);
    for (size_t i = (size_t)p->rank; i < count; i += (size_t)p->size) {
        CHECK(!data[i]);
        data[i] = p->seed + i;
    }
    p_wait();
    for (size_t i = 0; i < count; i++)
        CHECK(data[i] == p->seed + i);
    if (rng_below(common, 4)) /* the others last until the job ends */
        p_free(data);
}

static void next(struct plan *p, struct rng *r, int me, int n) {
    int groups = rng_below(r, 3) ? 1 : 2, skip = rng_below(r, 4) ? n : rng_below(r, n);
    int mine = 0;
    for (int k = 0; k < n; k++) {
        int group = k == skip && n > 1 ? 2 : groups == 1 ? 0 : rng_below(r, 2);
        p->member[k] = group;
        mine = k == me ? group : mine;
    }
    p->mask = 0;
    p->size = 0;
    for (int k = 0; k < n; k++)
        if (p->member[k] == mine) {
            p->mask |= UINT64_C(1) << k;
            if (k == me)
                p->rank = p->size;
            p->member[p->size++] = k;
        }
    p->seed = rng_next(r) + (uint64_t)mine;
}

static int body(void *unused) {
    (void)unused;
    int n = p_nproc(), me = p_iproc();
    static _Thread_local struct plan p;
    uint64_t seed = test_seed();
    struct rng all = rng_for(seed, 1, 0, 0), own = rng_for(seed, 2, (uint64_t)me, 0);
    bool apart = test_apart();
    uint64_t near = test_near();
    p_enqueue(near);
    unsigned char *shared = p_alloc((size_t)p_population() * 2 * ROOM);
    CHECK(shared);
    struct place in = {shared + (size_t)p_enumerate() * 2 * ROOM, malloc(ROOM)},
                 out = {in.array + ROOM, malloc(ROOM)};
    CHECK(in.own && out.own);
    p_enqueue(ALL_MASK);
    if (apart)
        test_skips("p_alloc");
    for (long i = 0; i < test.operations; i++) {
        next(&p, &all, me, n);
        struct rng common = rng_for(p.seed, 3, 0, 0);
        p_enqueue(p.mask);
        int what = rng_below(&common, 10);
        if (what == 0 && (p.mask & ~near) == 0)
            array(&p, &common);
        else if (what < 5)
            any(&p, &common, &own, &in, &out);
        else
            strided(&p, &common, &own, &in, &out);
    }
    p_enqueue(near);
    p_free(shared);
    free(in.own);
    free(out.own);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0) { /* these, and permute.c */
        puts("p_alloc\np_free\np_allToAll\np_allToAllv\np_allToAllStrided\np_permutePut\np_permuteGet");
        return TEST_PASSED;
    }
    return test_run(argc, argv, body);
}
