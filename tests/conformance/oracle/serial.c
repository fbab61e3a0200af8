#include "serial.h"

#include <string.h>

#include "harness.h"

static uint64_t low(int bits) {
    return bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}

/* Return the part of a member's value that counts. */
static uint64_t put(const struct meeting *m, uint64_t value) {
    if (m->function->type == TYPE_NONE)
        return value;
    const struct type *t = &types[m->function->type];
    value &= low(t->storage);
    if (t->width == 1)
        return value ? 1 : 0;
    return value & low(m->function->narrow ? m->bits : t->width);
}

static bool is_nan(int width, uint64_t p) {
    uint64_t infinity = width == 32 ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
    return (p & low(width - 1)) > infinity;
}

/* Return a number that orders as the values do: sign and magnitude of a real become one scale, on which -0 is
 * just below +0. */
static uint64_t order(const struct type *t, uint64_t p) {
    uint64_t top = (uint64_t)1 << (t->width - 1);
    if (t->kind == UNSIGNED)
        return p;
    if (t->kind == SIGNED)
        return p ^ top;
    return p & top ? ~p & low(t->width) : p | top;
}

/* Return such a number for p_rank and p_match: both zeros are one value, and so are all NaN, above
 * infinity. */
static uint64_t place(const struct type *t, uint64_t p) {
    if (t->kind == REAL && is_nan(t->width, p))
        return ~(uint64_t)0;
    if (t->kind == REAL && !(p & low(t->width - 1)))
        p = 0;
    return order(t, p);
}

/* ---- what combines the values of a reduction or scan ------------------------------------------------- */

#define ARITHMETIC(name, operator)                                                                           \
    static uint64_t name(const struct type *t, uint64_t p, uint64_t q) {                                     \
        if (t->kind != REAL)                                                                                 \
            return p operator q;                                                                             \
        double a, b;                                                                                         \
        if (t->width == 32) {                                                                                \
            uint32_t same_p = (uint32_t)p, same_q = (uint32_t)q;                                             \
            float c, d;                                                                                      \
            memcpy(&c, &same_p, sizeof c);                                                                   \
            memcpy(&d, &same_q, sizeof d);                                                                   \
            c = c operator d;                                                                                \
            memcpy(&same_p, &c, sizeof c);                                                                   \
            return same_p;                                                                                   \
        }                                                                                                    \
        memcpy(&a, &p, sizeof a);                                                                            \
        memcpy(&b, &q, sizeof b);                                                                            \
        a = a operator b;                                                                                    \
        memcpy(&p, &a, sizeof a);                                                                            \
        return p;                                                                                            \
    }
ARITHMETIC(add, +)
ARITHMETIC(mul, *)

/* Write the first NaN to *r. Return true if one of the two values is a NaN. */
static bool nan_wins(const struct type *t, uint64_t a, uint64_t b, uint64_t *r) {
    if (t->kind != REAL || (!is_nan(t->width, a) && !is_nan(t->width, b)))
        return false;
    *r = is_nan(t->width, a) ? a : b;
    return true;
}

static uint64_t min(const struct type *t, uint64_t a, uint64_t b) {
    uint64_t r;
    return nan_wins(t, a, b, &r) ? r : order(t, b) < order(t, a) ? b : a;
}

static uint64_t max(const struct type *t, uint64_t a, uint64_t b) {
    uint64_t r;
    return nan_wins(t, a, b, &r) ? r : order(t, b) < order(t, a) ? a : b;
}

static uint64_t bit_and(const struct type *t, uint64_t a, uint64_t b) {
    (void)t;
    return a & b;
}

static uint64_t bit_or(const struct type *t, uint64_t a, uint64_t b) {
    (void)t;
    return a | b;
}

/* By the names in papers/functions.def. */
static const struct combine {
    const char *name;
    uint64_t (*of)(const struct type *t, uint64_t a, uint64_t b);
    bool any_nan; /* IEEE 754 leaves open which NaN it is */
} combines[] = {
    {"add", add, true},  {"mul", mul, true},      {"min", min, false},
    {"max", max, false}, {"and", bit_and, false}, {"or", bit_or, false},
};

static const struct combine *combine_of(const struct function *f) {
    for (size_t i = 0; f->combine && i < sizeof combines / sizeof *combines; i++)
        if (strcmp(combines[i].name, f->combine) == 0)
            return &combines[i];
    return NULL;
}

/* Return the values of members 0 to last, combined from the first on. */
static uint64_t folded(const struct meeting *m, int last) {
    const struct type *t = &types[m->function->type];
    const struct combine *combine = combine_of(m->function);
    CHECK(combine);
    int bits = m->function->narrow ? m->bits : t->width;
    uint64_t r = put(m, m->value[0]);
    for (int i = 1; i <= last; i++)
        r = combine->of(t, r, put(m, m->value[i])) & low(bits);
    return r;
}

static void set(const struct meeting *m, struct call *call, int index, bool member) {
    int k = m->member[index];
    if (member)
        call->array[k / 64] |= (uint64_t)1 << (k % 64);
}

void serial_result(const struct meeting *m, int index, struct call *call) {
    enum row row = m->function->row;
    const struct type *t = m->function->type == TYPE_NONE ? NULL : &types[m->function->type];
    uint64_t mine = put(m, m->value[index]);
    call->result = row == ROW_p_all;
    if (row == ROW_p_waitvec || row == ROW_p_vote || row == ROW_p_match)
        memset(call->array, 0, (size_t)call->elements * sizeof *call->array);
    for (int i = 0; i < m->size; i++) {
        uint64_t theirs = put(m, m->value[i]);
        bool votes = theirs == (uint64_t)m->member[index];
        switch (row) {
        case ROW_p_waitvec:
            set(m, call, i, theirs != 0);
            break;
        case ROW_p_any:
            call->result |= theirs != 0;
            break;
        case ROW_p_all:
            call->result &= theirs != 0;
            break;
        case ROW_p_putget:
            if (m->member[i] == call->source)
                call->result = theirs;
            break;
        case ROW_p_gather:
            call->array[m->member[i]] = theirs;
            break;
        case ROW_p_bcast:
            if (i == m->root && i != index)
                call->result = theirs;
            break;
        case ROW_p_rank:
            call->result +=
                place(t, theirs) < place(t, mine) || (place(t, theirs) == place(t, mine) && i < index);
            break;
        case ROW_p_vote:
            set(m, call, i, votes);
            break;
        case ROW_p_voteCount:
            call->result += votes;
            break;
        case ROW_p_match:
            set(m, call, i, place(t, theirs) == place(t, mine));
            break;
        case ROW_p_matchCount:
            call->result += place(t, theirs) == place(t, mine);
            break;
        case ROW_p_wait:
            break;
        default: /* a reduction or scan */
            CHECK(m->function->combine);
        }
    }
    if (m->function->combine)
        call->result = folded(m, m->function->prefix ? index : m->size - 1);
}

bool serial_equal(const struct function *f, uint64_t expected, uint64_t received) {
    if (expected == received)
        return true;
    const struct type *t = f->type == TYPE_NONE ? NULL : &types[f->type];
    const struct combine *combine = combine_of(f);
    return t && t->kind == REAL && combine && combine->any_nan && is_nan(t->width, expected) &&
           is_nan(t->width, received);
}
