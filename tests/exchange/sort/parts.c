/* p_sort in random groups, of records of random sizes and types, in memory of all kinds. Every PE can tell
 * all records of its group by itself, sorts them by qsort with their number as the second key, and compares
 * its part, byte by byte. */

#include <exchange.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { MOST = 12000, RECORD = 24 };

struct plan {
    uint64_t mask, seed;
    size_t n[TEST_MAX_PES], all, before,
        mine; /* of each member, of all, of those before this one, of this one */
    size_t record, offset;
    int type, spread; /* of the keys: below 2^spread */
    bool shared;
};

static const struct type {
    const char *name;
    size_t bytes;
    bool is_signed, floating;
} types[] = {{"u8", 1, 0, 0},  {"u16", 2, 0, 0}, {"u32", 4, 0, 0}, {"u64", 8, 0, 0}, {"i8", 1, 1, 0},
             {"i16", 2, 1, 0}, {"i32", 4, 1, 0}, {"i64", 8, 1, 0}, {"f32", 4, 1, 1}, {"f64", 8, 1, 1}};

static struct plan draw(uint64_t seed, int step) {
    struct rng r = rng_for(seed, (uint64_t)step, 1, 0);
    struct plan p = {.seed = rng_next(&r)};
    bool all = rng_below(&r, 2), side = false;
    for (int k = 0; k < p_nproc(); k++) {
        bool here = rng_below(&r, 2);
        if (k == p_iproc())
            side = here;
        p.mask |= (uint64_t)here << k;
    }
    if (all)
        p.mask = ALL_MASK;
    else if (!side)
        p.mask = ~p.mask & ALL_MASK;
    p.seed += p.mask;
    r = rng_for(p.seed, 0, 0, 0);
    static const size_t records[] = {1, 2, 4, 8, 16, 3, 12, RECORD};
    do {
        p.record = records[rng_below(&r, 8)];
        p.type = rng_below(&r, sizeof types / sizeof *types);
    } while (types[p.type].bytes > p.record);
    p.offset = (size_t)rng_below(&r, (int)(p.record - types[p.type].bytes + 1));
    p.spread = 1 + rng_below(&r, 64);
    p.shared = rng_below(&r, 2);
    int most = rng_below(&r, 3) ? MOST : 3;
    for (int k = 0; k < p_nproc(); k++) {
        size_t n = (size_t)rng_below(&r, most);
        if (!(p.mask >> k & 1))
            continue;
        p.before += k < p_iproc() ? n : 0;
        p.mine = k == p_iproc() ? n : p.mine;
        p.all += n;
    }
    return p;
}

/* The i-th record of all. */
static void fill(const struct plan *p, size_t i, char *record) {
    struct rng r = rng_for(p->seed, i, 2, 0);
    uint64_t bytes[RECORD / 8 + 1];
    for (size_t w = 0; w < sizeof bytes / sizeof *bytes; w++)
        bytes[w] = rng_next(&r);
    memcpy(record, bytes, p->record);
    uint64_t key = rng_next(&r) >> (64 - p->spread);
    memcpy(record + p->offset, &key, types[p->type].bytes);
}

/* A record, its number, and what orders its key, found in another way than the library's: by comparing
 * values. */
struct row {
    size_t number;
    uint64_t bits;
    const struct plan *plan;
};

static int compare_keys(const struct type *type, uint64_t a, uint64_t b) {
    int shift = 64 - 8 * (int)type->bytes;
    int64_t x = (int64_t)(a << shift), y = (int64_t)(b << shift); /* the sign is the highest bit */
    if (!type->is_signed)
        return (a > b) - (a < b);
    if (type->floating && x < 0 && y < 0)
        return (a < b) - (a > b);
    return (x > y) - (x < y);
}

static int compare(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    int keys = compare_keys(&types[x->plan->type], x->bits, y->bits);
    return keys ? keys : (x->number > y->number) - (x->number < y->number);
}

static void check(const struct plan *p, const char *part) {
    struct row *row = malloc((p->all + 1) * sizeof *row);
    char record[RECORD];
    for (size_t i = 0; i < p->all; i++) {
        row[i] = (struct row){.number = i, .plan = p};
        fill(p, i, record);
        memcpy(&row[i].bits, record + p->offset, types[p->type].bytes);
    }
    qsort(row, p->all, sizeof *row, compare);
    for (size_t i = 0; i < p->mine; i++) {
        fill(p, row[p->before + i].number, record);
        if (memcmp(part + i * p->record, record, p->record) != 0)
            test_fail("%zu records of %zu bytes by %s@%zu, PE %d has %zu from %zu on: its %zuth is not as it "
                      "must be",
                      p->all, p->record, types[p->type].name, p->offset, p_iproc(), p->mine, p->before, i);
    }
    free(row);
}

static int body(void *unused) {
    (void)unused;
    uint64_t seed = test_seed();
    char *own = malloc(MOST * RECORD + 1);
    uint64_t near = test_near();
    if (test_apart())
        test_skips("parts in one array");
    for (int step = 0; step < test.operations; step++) {
        struct plan p = draw(seed, step);
        p_enqueue(p.mask);
        size_t skip = p.seed & 1 ? 3 : 0; /* records: the parts begin within a line */
        bool apart = p.mask & ~near;
        char *array = apart ? NULL : p_alloc((p.all + skip) * p.record + 1);
        CHECK(array || apart);
        char *part = p.shared && array ? array + (skip + p.before) * p.record : own + (p.seed & 1);
        for (size_t i = 0; i < p.mine; i++)
            fill(&p, p.before + i, part + i * p.record);
        CHECK_INT(0, p_sort(part, p.mine, p.record, types[p.type].name, p.offset));
        check(&p, part);
        p_free(array);
        p_enqueue(ALL_MASK);
    }
    free(own);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        puts("p_sort");
        return TEST_PASSED;
    }
    return test_run(argc, argv, body);
}
