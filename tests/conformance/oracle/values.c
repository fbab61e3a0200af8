#include "values.h"

#include <string.h>

enum mode { ANY_BITS, SPECIAL, SMALL, TIES, ONE_VALUE, MIXED, MODES };

static uint64_t pattern32(float v) {
    uint32_t p;
    memcpy(&p, &v, sizeof p);
    return p;
}

static uint64_t pattern64(double v) {
    uint64_t p;
    memcpy(&p, &v, sizeof p);
    return p;
}

/* Both zeros, infinities, NaN that are quiet and signalling and of either sign, the least and the greatest
 * numbers, and numbers whose sum depends on the order. */
static const uint64_t special32[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
                                     0x7f800001, 0xffbfffff, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
                                     0xff7fffff, 0x3f800000, 0xbf800000, 0x3dcccccd, 0x4b800000, 0xcb800000};
static const uint64_t special64[] = {0,
                                     UINT64_C(0x8000000000000000),
                                     UINT64_C(0x7ff0000000000000),
                                     UINT64_C(0xfff0000000000000),
                                     UINT64_C(0x7ff8000000000000),
                                     UINT64_C(0xfff8000000000001),
                                     UINT64_C(0x7ff0000000000001),
                                     UINT64_C(0xfff7ffffffffffff),
                                     1,
                                     UINT64_C(0x800fffffffffffff),
                                     UINT64_C(0x0010000000000000),
                                     UINT64_C(0x7fefffffffffffff),
                                     UINT64_C(0xffefffffffffffff),
                                     UINT64_C(0x3ff0000000000000),
                                     UINT64_C(0xbff0000000000000),
                                     UINT64_C(0x3fb999999999999a),
                                     UINT64_C(0x4340000000000000),
                                     UINT64_C(0xc340000000000000)};

static uint64_t special(enum type_number type, struct rng *r) {
    const struct type *t = &types[type];
    if (t->kind == REAL)
        return t->width == 32 ? special32[rng_below(r, sizeof special32 / sizeof *special32)]
                              : special64[rng_below(r, sizeof special64 / sizeof *special64)];
    uint64_t top = (uint64_t)1 << (t->storage - 1);
    const uint64_t choice[] = {0, 1, ~(uint64_t)0, top, top - 1, top + 1};
    return choice[rng_below(r, 6)];
}

/* Ordinary numbers. */
static uint64_t small(enum type_number type, struct rng *r) {
    const struct type *t = &types[type];
    int i = rng_below(r, 33) - 16;
    if (t->kind == REAL)
        return t->width == 32 ? pattern32((float)i * 0.3f) : pattern64((double)i * 0.3);
    return (uint64_t)(int64_t)i;
}

static uint64_t draw(enum type_number type, int mode, struct rng *r) {
    switch (mode == MIXED ? rng_below(r, 3) : mode) {
    case ANY_BITS:
        return rng_next(r);
    case SPECIAL:
        return special(type, r);
    default:
        return small(type, r);
    }
}

/* A truth value as C has it: an int, and true if it is not 0. */
static uint64_t truth(int mode, struct rng *r) {
    static const int choice[] = {1, -1, 256, INT32_MIN};
    bool is = mode == TIES ? false : mode == ONE_VALUE ? true : rng_below(r, mode == SMALL ? 8 : 2) == 0;
    return is ? (uint64_t)(int64_t)choice[rng_below(r, 4)] : 0;
}

/* Two reals that differ in their bits and not, or hardly, in their order: the zeros, two NaN, or a NaN and a
 * number. */
static void alike(enum type_number type, uint64_t common[2], struct rng *r) {
    const uint64_t *special = types[type].width == 32 ? special32 : special64;
    enum { PLUS_ZERO, MINUS_ZERO, NAN_ONE = 4, NAN_TWO, NUMBER = 13 };
    static const int pairs[][2] = {{PLUS_ZERO, MINUS_ZERO}, {NAN_ONE, NAN_TWO}, {NAN_TWO, NUMBER}};
    const int *pair = pairs[rng_below(r, 3)];
    for (int i = 0; i < 2; i++)
        common[i] = special[pair[i]];
}

struct flavour values_flavour(enum type_number type, struct rng *r) {
    struct flavour flavour = {.mode = rng_below(r, MODES)};
    if (type == TYPE_NONE)
        return flavour;
    for (int i = 0; i < 2; i++)
        flavour.common[i] = draw(type, rng_below(r, 3), r);
    if (types[type].kind == REAL && flavour.mode == TIES && rng_below(r, 2))
        alike(type, flavour.common, r);
    return flavour;
}

uint64_t values_draw(enum type_number type, const struct flavour *flavour, struct rng *r) {
    if (type == TYPE_NONE)
        return truth(flavour->mode, r);
    if (flavour->mode == ONE_VALUE)
        return flavour->common[0];
    if (flavour->mode == TIES)
        return flavour->common[rng_below(r, 2)];
    return draw(type, flavour->mode, r);
}
