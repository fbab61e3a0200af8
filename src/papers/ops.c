/* The names of the aggregate operations, and the data that members learn in each. */

#include "ops.h"

#include <stdio.h>

#include "combine.h"

static const char *const names[] = {
#define X(name, shape, combine, unused) #name,
    UNO_AGGREGATE_TABLE(X)
#undef X
};

static const struct {
    const char *suffix;
    unsigned bits;
} types[] = {{"", 1},
#define X(suffix, type, bits) {#suffix, bits},
             PAPERS_ALL(X)
#undef X
};

/* "p_reduceAdd32", "p_reduceAddBits32u with 5 bits" */
static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    unsigned type = detail & 15, bits = (detail >> 4) + 1;
    if (type >= UNO_TYPE_COUNT)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s of unknown type %u", name, type);
    else if (bits == types[type].bits)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s%s", name, types[type].suffix);
    else
        snprintf(text, UNO_SIGNATURE_TEXT, "%sBits%s with %u bits", name, types[type].suffix, bits);
}

/* ---- the data that members learn in each
 * ---------------------------------------------------------------- */

typedef void combine(uint64_t *left, const uint64_t *right);

#define COMBINE(name, shape, how, suffix, type, width)                                                       \
    static void name##_##suffix(uint64_t *left, const uint64_t *right) {                                     \
        type value = how##_##suffix(get_##suffix(left), get_##suffix(right));                                \
        *left = 0;                                                                                           \
        memcpy(left, &value, sizeof value);                                                                  \
    }
#define COMBINES(suffix, type, width) PAPERS_REDUCTIONS_ALL(COMBINE, suffix, type, width)
PAPERS_ALL(COMBINES)

#define ENTRY(name, shape, how, suffix) [UNO_##name - UNO_OPS_AGGREGATE][UNO_TYPE_##suffix] = name##_##suffix,
#define ENTRIES(suffix, type, width) PAPERS_REDUCTIONS_ALL(ENTRY, suffix)
static combine *const combines[sizeof names / sizeof *names][UNO_TYPE_COUNT] = {PAPERS_ALL(ENTRIES)};

static bool is_real(unsigned type) {
    return type == UNO_TYPE_f || type == UNO_TYPE_d;
}

/* A sum or product of real numbers depends on the order, so the PE that combines them needs them all. */
static void fold(struct uno_function *function, unsigned op, unsigned type) {
    bool order = op == UNO_p_reduceAdd || op == UNO_p_reduceMul;
    if (order && is_real(type))
        return;
    function->learns = UNO_LEARNS_FOLD;
    function->combine = combines[op - UNO_OPS_AGGREGATE][type];
    function->ordered = is_real(type);
    function->repeats = !order;
    function->neutral = op == UNO_p_reduceMul;
}

/* Bits in which the number of any of n PEs can be written. */
static int bits_of_pe(int n) {
    int bits = 1;
    while ((n - 1) >> bits)
        bits++;
    return bits;
}

static void learn(struct uno_function *function, unsigned signature, int n) {
    unsigned op = uno_signature_op(signature), detail = uno_signature_detail(signature), type = detail & 15;
    function->bits = (int)(detail >> 4) + 1;
    switch (op) {
    case UNO_p_wait:
        function->learns = UNO_LEARNS_NOTHING;
        break;
    case UNO_p_all:
    case UNO_p_reduceAnd:
        function->learns = UNO_LEARNS_AND;
        break;
    case UNO_p_any:
    case UNO_p_reduceOr:
        function->learns = UNO_LEARNS_OR;
        break;
    case UNO_p_bcast:
        function->learns = UNO_LEARNS_PUT;
        break;
    case UNO_p_putget:
        function->learns = UNO_LEARNS_ONE;
        break;
    case UNO_p_vote:
    case UNO_p_voteCount:
        function->bits = bits_of_pe(n); /* fall through */
    case UNO_p_waitvec:
    case UNO_p_match:
    case UNO_p_matchCount:
        function->learns = UNO_LEARNS_VOTES;
        break;
    case UNO_p_reduceAdd:
    case UNO_p_reduceMul:
    case UNO_p_reduceMin:
    case UNO_p_reduceMax:
        fold(function, op, type);
        break;
    default: /* a gather, or a scan: what else is needed of each depends on who it is */
        break;
    }
}

static const struct uno_ops aggregates = {.first = UNO_OPS_AGGREGATE,
                                          .count = sizeof names / sizeof *names,
                                          .name = names,
                                          .text = describe,
                                          .function = learn};
UNO_OPS_REGISTER(aggregates);
