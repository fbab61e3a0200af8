/* Aggregate operations on values: fresh inputs, and the results that each PE must have received. */

#include "values.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kinds.h"
#include "local_part.h"

static const struct type {
    const char *suffix;
    int size;
} types[BENCH_TYPE_COUNT] = {{"", sizeof(int)},
#define TYPE(suffix, type) {#suffix, sizeof(type)},
                             BENCH_TYPES(TYPE)
#undef TYPE
};

/* ---- data -------------------------------------------------------------------------------------------- */

/* PE k's input to iteration i, as a random number shaped for the operation: such that an AND, an OR and an
 * integer product of a few PEs are not all the same number, and sums and products of floating-point values
 * are exact, so that the order in which a library combines them does not matter. */
static void make_input(const struct bench_turn *turn, int n, int i, int k, void *value) {
    uint64_t h = bench_mix(turn->seed + ((uint64_t)i << 8) + (uint64_t)k), g = bench_mix(h);
    switch (turn->op) {
    case BENCH_OP_any:
        h = h % (uint64_t)(2 * n) == 0;
        break;
    case BENCH_OP_all:
        h = h % (uint64_t)(2 * n) != 0;
        break;
    case BENCH_OP_waitvec:
        h &= 1;
        break;
    case BENCH_OP_vote:
    case BENCH_OP_voteCount:
    case BENCH_OP_match:
    case BENCH_OP_matchCount:
        h %= (uint64_t)n;
        break;
    case BENCH_OP_reduceMul:
    case BENCH_OP_scanMul:
        h |= 1;
        break;
    case BENCH_OP_reduceAnd:
    case BENCH_OP_scanAnd:
        h |= g;
        break;
    case BENCH_OP_reduceOr:
    case BENCH_OP_scanOr:
        h &= g;
    }
    bool product = turn->op == BENCH_OP_reduceMul || turn->op == BENCH_OP_scanMul;
    double real = product ? (h & 2 ? 1 : -1) * (h & 4 ? 2 : 0.5) : (double)(int)(h % 2001) - 1000;
    float single = (float)real;
    int number = (int)h;
    switch (turn->type) {
    case BENCH_TYPE_:
        memcpy(value, &number, sizeof number);
        break;
    case BENCH_TYPE_f:
        memcpy(value, &single, sizeof single);
        break;
    case BENCH_TYPE_d:
        memcpy(value, &real, sizeof real);
        break;
    default: /* little end first: the low bytes are the value */
        memcpy(value, &h, (size_t)types[turn->type].size);
    }
}

static int source(int me, int n, int i) {
    return (me + i + 1) % n;
}

static size_t result_size(const struct bench_turn *turn, int n) {
    switch (bench_kinds[turn->op].result) {
    case BENCH_NUMBER:
        return sizeof(int);
    case BENCH_MASK:
        return sizeof(uint64_t);
    case BENCH_VALUE:
        return (size_t)types[turn->type].size;
    case BENCH_ARRAY:
        return (size_t)(types[turn->type].size * n);
    default:
        return 0;
    }
}

/* ---- the oracle -------------------------------------------------------------------------------------- */

typedef void oracle(const void *values, int me, int n, int who, void *result);

#define ORACLE(name, s, type, result_type)                                                                   \
    static void expect_##name##s(const void *values, int me, int n, int who, void *result) {                 \
        result_type r = local_##name##s(values, me, n, who);                                                 \
        memcpy(result, &r, sizeof r);                                                                        \
    }
#define ORACLES_ALL(s, type) LOCAL_ALL(ORACLE, s, type)
#define ORACLES_INTEGER(s, type) LOCAL_INTEGER(ORACLE, s, type)
BENCH_TYPES(ORACLES_ALL)
BENCH_INTEGERS(ORACLES_INTEGER)

static oracle *const oracles[BENCH_OPS][BENCH_TYPE_COUNT] = {
#define ROW(name, s, type, result_type) [BENCH_OP_##name][BENCH_TYPE_##s] = expect_##name##s,
#define ROWS_ALL(s, type) LOCAL_ALL(ROW, s, type)
#define ROWS_INTEGER(s, type) LOCAL_INTEGER(ROW, s, type)
    BENCH_TYPES(ROWS_ALL) BENCH_INTEGERS(ROWS_INTEGER)};

/* The result that PE `me` must have received, from the inputs of all PEs, which lie one behind the other. */
static void expect(const struct bench_turn *turn, const void *values, int me, int n, int i, void *result) {
    const int *flags = values;
    uint64_t mask = 0;
    int number = 0;
    if (oracles[turn->op][turn->type]) {
        oracles[turn->op][turn->type](values, me, n, source(me, n, i), result);
        return;
    }
    switch (turn->op) {
    case BENCH_OP_waitvec:
        mask = local_waitvec(flags, n);
        break;
    case BENCH_OP_any:
        number = local_waitvec(flags, n) != 0;
        break;
    case BENCH_OP_all:
        number = __builtin_popcountll(local_waitvec(flags, n)) == n;
        break;
    case BENCH_OP_vote:
        mask = local_vote(flags, me, n);
        break;
    case BENCH_OP_voteCount:
        number = __builtin_popcountll(local_vote(flags, me, n));
        break;
    case BENCH_OP_population:
        number = n;
        break;
    case BENCH_OP_enumerate:
        number = me;
        break;
    case BENCH_OP_gather:
    case BENCH_OP_bcast: /* PE 0 puts */
        memcpy(result, values, result_size(turn, n));
        return;
    }
    if (bench_kinds[turn->op].result == BENCH_MASK)
        memcpy(result, &mask, sizeof mask);
    else
        memcpy(result, &number, sizeof number);
}

void bench_values_prepare(struct bench_pe *pe, int operations) {
    const struct bench_turn *turn = &pe->turn;
    pe->in = pe->values;
    pe->out = pe->results;
    pe->in_step = (size_t)types[turn->type].size;
    pe->out_step = result_size(turn, pe->n);
    for (int i = 0; i < operations; i++) {
        make_input(turn, pe->n, i, pe->me, (char *)pe->in + (size_t)i * pe->in_step);
        pe->who[i] = source(pe->me, pe->n, i);
    }
    /* no result of an earlier turn may pass for one of this */
    memset(pe->out, 0xa5, (size_t)operations * pe->out_step);
}

void bench_values_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    const struct bench_turn *turn = &pe->turn;
    size_t in_size = (size_t)types[turn->type].size, out_size = result_size(turn, pe->n);
    for (int i = 0; out_size && i < operations; i++) {
        uint64_t values[BENCH_MAX_PES], expected[BENCH_MAX_PES] = {0};
        for (int k = 0; k < pe->n; k++)
            make_input(turn, pe->n, i, k, (char *)values + (size_t)k * in_size);
        expect(turn, values, pe->me, pe->n, i, expected);
        const char *got = (const char *)pe->out + (size_t)i * out_size;
        if (memcmp(got, expected, out_size) == 0 || reply->wrong++)
            continue;
        uint64_t first = 0;
        memcpy(&first, got, out_size < 8 ? out_size : 8);
        snprintf(reply->text, sizeof reply->text,
                 "p_%s%s of %d PEs, operation %d: PE %d received 0x%llx instead of 0x%llx%s",
                 bench_kinds[turn->op].name, types[turn->type].suffix, pe->n, i, pe->me,
                 (unsigned long long)first, (unsigned long long)expected[0],
                 out_size > 8 ? " (the first 8 bytes)" : "");
    }
}
