#include "serial.h"

#include <string.h>

static uint64_t low(int bits) {
    return bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}

/* What counts of a value that a member passes. */
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

/* A number that orders as the values do: sign and magnitude of a real become one scale, on which -0 is just
 * below +0. */
static uint64_t order(const struct type *t, uint64_t p) {
    uint64_t top = (uint64_t)1 << (t->width - 1);
    if (t->kind == UNSIGNED)
        return p;
    if (t->kind == SIGNED)
        return p ^ top;
    return p & top ? ~p & low(t->width) : p | top;
}

/* The same for p_rank and p_match: both zeros are one value, and so are all NaN, above infinity. */
static uint64_t place(const struct type *t, uint64_t p) {
    if (t->kind == REAL && is_nan(t->width, p))
        return ~(uint64_t)0;
    if (t->kind == REAL && !(p & low(t->width - 1)))
        p = 0;
    return order(t, p);
}

#define ARITHMETIC(name, real, word)                                                                         \
    static uint64_t name(enum fold fold, uint64_t p, uint64_t q) {                                           \
        word same_p = (word)p, same_q = (word)q;                                                             \
        real a, b;                                                                                           \
        memcpy(&a, &same_p, sizeof a);                                                                       \
        memcpy(&b, &same_q, sizeof b);                                                                       \
        a = fold == ADD ? a + b : a * b;                                                                     \
        memcpy(&same_p, &a, sizeof a);                                                                       \
        return same_p;                                                                                       \
    }
ARITHMETIC(arithmetic32, float, uint32_t)
ARITHMETIC(arithmetic64, double, uint64_t)

static uint64_t combine(const struct type *t, enum fold fold, uint64_t a, uint64_t b) {
    bool real = t->kind == REAL;
    switch (fold) {
    case ADD:
        return real ? (t->width == 32 ? arithmetic32 : arithmetic64)(fold, a, b) : a + b;
    case MUL:
        return real ? (t->width == 32 ? arithmetic32 : arithmetic64)(fold, a, b) : a * b;
    case AND:
        return a & b;
    case OR:
        return a | b;
    default:
        if (real && (is_nan(t->width, a) || is_nan(t->width, b)))
            return is_nan(t->width, a) ? a : b;
        return (order(t, b) < order(t, a)) == (fold == MIN) ? b : a;
    }
}

/* The values of members 0 to last, combined from the first on. */
static uint64_t folded(const struct meeting *m, int last) {
    const struct type *t = &types[m->function->type];
    int bits = m->function->narrow ? m->bits : t->width;
    uint64_t r = put(m, m->value[0]);
    for (int i = 1; i <= last; i++)
        r = combine(t, m->function->fold, r, put(m, m->value[i])) & low(bits);
    return r;
}

static void set(const struct meeting *m, struct call *call, int index, bool member) {
    int k = m->member[index];
    if (member)
        call->array[k / 64] |= (uint64_t)1 << (k % 64);
}

void serial_result(const struct meeting *m, int index, struct call *call) {
    enum family family = m->function->family;
    const struct type *t = m->function->type == TYPE_NONE ? NULL : &types[m->function->type];
    uint64_t mine = put(m, m->value[index]);
    call->result = family == ALL;
    if (family == WAITVEC || family == VOTE || family == MATCH)
        memset(call->array, 0, (size_t)call->elements * sizeof *call->array);
    for (int i = 0; i < m->size; i++) {
        uint64_t theirs = put(m, m->value[i]);
        bool votes = theirs == (uint64_t)m->member[index];
        switch (family) {
        case WAITVEC:
            set(m, call, i, theirs != 0);
            break;
        case ANY:
            call->result |= theirs != 0;
            break;
        case ALL:
            call->result &= theirs != 0;
            break;
        case PUTGET:
            if (m->member[i] == call->source)
                call->result = theirs;
            break;
        case GATHER:
            call->array[m->member[i]] = theirs;
            break;
        case BCAST:
            if (i == m->root && i != index)
                call->result = theirs;
            break;
        case RANK:
            call->result +=
                place(t, theirs) < place(t, mine) || (place(t, theirs) == place(t, mine) && i < index);
            break;
        case VOTE:
            set(m, call, i, votes);
            break;
        case VOTE_COUNT:
            call->result += votes;
            break;
        case MATCH:
            set(m, call, i, place(t, theirs) == place(t, mine));
            break;
        case MATCH_COUNT:
            call->result += place(t, theirs) == place(t, mine);
            break;
        default:
            break;
        }
    }
    if (family == REDUCE || family == SCAN)
        call->result = folded(m, family == REDUCE ? m->size - 1 : index);
}

bool serial_equal(const struct function *f, uint64_t expected, uint64_t received) {
    if (expected == received)
        return true;
    const struct type *t = f->type == TYPE_NONE ? NULL : &types[f->type];
    return t && t->kind == REAL && (f->fold == ADD || f->fold == MUL) && is_nan(t->width, expected) &&
           is_nan(t->width, received);
}
