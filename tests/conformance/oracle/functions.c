#include "functions.h"

#include <stdio.h>
#include <string.h>

const struct type types[TYPE_COUNT] = {
#define X(suffix, type, width) {#suffix, UNSIGNED, width, 8 * sizeof(type)},
    PAPERS_UNSIGNED(X)
#undef X
#define X(suffix, type, width) {#suffix, SIGNED, width, 8 * sizeof(type)},
        PAPERS_SIGNED(X)
#undef X
#define X(suffix, type, width) {#suffix, REAL, width, 8 * sizeof(type)},
            PAPERS_REAL(X)
#undef X
};

/* from_T(p) and to_T(v): between a bit pattern and a value. */
#define CONVERT_INTEGER(suffix, type, width)                                                                 \
    static type from_##suffix(uint64_t p) {                                                                  \
        return (type)p;                                                                                      \
    }                                                                                                        \
    static uint64_t to_##suffix(type v) {                                                                    \
        return (uint64_t)v & ~(uint64_t)0 >> (64 - 8 * sizeof v);                                            \
    }
PAPERS_INTEGER(CONVERT_INTEGER)

#define CONVERT_REAL(suffix, type, width)                                                                    \
    static type from_##suffix(uint64_t p) {                                                                  \
        uint##width##_t same = (uint##width##_t)p;                                                           \
        type v;                                                                                              \
        memcpy(&v, &same, sizeof v);                                                                         \
        return v;                                                                                            \
    }                                                                                                        \
    static uint64_t to_##suffix(type v) {                                                                    \
        uint##width##_t same;                                                                                \
        memcpy(&same, &v, sizeof v);                                                                         \
        return same;                                                                                         \
    }
PAPERS_REAL(CONVERT_REAL)

/* Through an array of the function's own type, with all its elements put in before and taken out after. */
#define GATHER_INTO(suffix, type, call)                                                                      \
    type own[1024 + 1], *p = c->array ? own : NULL;                                                          \
    for (int k = 0; k < c->elements; k++)                                                                    \
        own[k] = from_##suffix(c->array[k]);                                                                 \
    call;                                                                                                    \
    for (int k = 0; k < c->elements; k++)                                                                    \
        c->array[k] = to_##suffix(own[k]);

#define FOLD(Kind, KIND, Op, OP, suffix)                                                                     \
    ROW(Kind##Op##suffix, KIND, OP, TYPE_##suffix, false, false,                                             \
        c->result = to_##suffix(p_##Kind##Op##suffix(from_##suffix(c->value))))
#define FOLD_BITS(Kind, KIND, Op, OP, suffix)                                                                \
    ROW(Kind##Op##Bits##suffix, KIND, OP, TYPE_##suffix, true, false,                                        \
        c->result = to_##suffix(p_##Kind##Op##Bits##suffix(from_##suffix(c->value), c->bits)))

#define ROWS_UNTYPED                                                                                         \
    ROW(wait, WAIT, NONE, TYPE_NONE, false, false, (void)c; p_wait())                                        \
    ROW(waitvec, WAITVEC, NONE, TYPE_NONE, false, false, c->array[0] = p_waitvec((int)c->value))             \
    ROW(waitvecWide, WAITVEC, NONE, TYPE_NONE, false, true, p_waitvecWide(c->array, (int)c->value))          \
    ROW(any, ANY, NONE, TYPE_NONE, false, false, c->result = (uint64_t)p_any((int)c->value))                 \
    ROW(all, ALL, NONE, TYPE_NONE, false, false, c->result = (uint64_t)p_all((int)c->value))                 \
    ROW(vote, VOTE, NONE, TYPE_NONE, false, false, c->array[0] = p_vote((int)c->value))                      \
    ROW(voteWide, VOTE, NONE, TYPE_NONE, false, true, p_voteWide(c->array, (int)c->value))                   \
    ROW(voteCount, VOTE_COUNT, NONE, TYPE_NONE, false, false,                                                \
        c->result = (uint64_t)p_voteCount((int)c->value))

#define ROWS_ANY_TYPE(suffix, type, width)                                                                   \
    ROW(putget##suffix, PUTGET, NONE, TYPE_##suffix, false, false,                                           \
        c->result = to_##suffix(p_putget##suffix(from_##suffix(c->value), c->source)))                       \
    ROW(gather##suffix, GATHER, NONE, TYPE_##suffix, false, false,                                           \
        GATHER_INTO(suffix, type, p_gather##suffix(p, from_##suffix(c->value))))                             \
    FOLD(reduce, REDUCE, Add, ADD, suffix)                                                                   \
    FOLD(reduce, REDUCE, Mul, MUL, suffix)                                                                   \
    FOLD(reduce, REDUCE, Min, MIN, suffix)                                                                   \
    FOLD(reduce, REDUCE, Max, MAX, suffix)                                                                   \
    ROW(bcast##suffix, BCAST, NONE, TYPE_##suffix, false, false,                                             \
        if (c->put) p_bcastPut##suffix(from_##suffix(c->value));                                             \
        else c->result = to_##suffix(p_bcastGet##suffix()))                                                  \
    FOLD(scan, SCAN, Add, ADD, suffix)                                                                       \
    FOLD(scan, SCAN, Mul, MUL, suffix)                                                                       \
    FOLD(scan, SCAN, Min, MIN, suffix)                                                                       \
    FOLD(scan, SCAN, Max, MAX, suffix)                                                                       \
    ROW(rank##suffix, RANK, NONE, TYPE_##suffix, false, false,                                               \
        c->result = (uint64_t)p_rank##suffix(from_##suffix(c->value)))                                       \
    ROW(match##suffix, MATCH, NONE, TYPE_##suffix, false, false,                                             \
        c->array[0] = p_match##suffix(from_##suffix(c->value)))                                              \
    ROW(matchWide##suffix, MATCH, NONE, TYPE_##suffix, false, true,                                          \
        p_matchWide##suffix(c->array, from_##suffix(c->value)))                                              \
    ROW(matchCount##suffix, MATCH_COUNT, NONE, TYPE_##suffix, false, false,                                  \
        c->result = (uint64_t)p_matchCount##suffix(from_##suffix(c->value)))

#define ROWS_INTEGER(suffix, type, width)                                                                    \
    FOLD(reduce, REDUCE, And, AND, suffix)                                                                   \
    FOLD(reduce, REDUCE, Or, OR, suffix)                                                                     \
    FOLD(scan, SCAN, And, AND, suffix)                                                                       \
    FOLD(scan, SCAN, Or, OR, suffix)

#define ROWS_BITS(suffix, type, width)                                                                       \
    ROW(putgetBits##suffix, PUTGET, NONE, TYPE_##suffix, true, false,                                        \
        c->result = to_##suffix(p_putgetBits##suffix(from_##suffix(c->value), c->source, c->bits)))          \
    ROW(gatherBits##suffix, GATHER, NONE, TYPE_##suffix, true, false,                                        \
        GATHER_INTO(suffix, type, p_gatherBits##suffix(p, from_##suffix(c->value), c->bits)))                \
    FOLD_BITS(reduce, REDUCE, Add, ADD, suffix)                                                              \
    FOLD_BITS(reduce, REDUCE, Mul, MUL, suffix)                                                              \
    FOLD_BITS(reduce, REDUCE, Min, MIN, suffix)                                                              \
    FOLD_BITS(reduce, REDUCE, Max, MAX, suffix)                                                              \
    FOLD_BITS(reduce, REDUCE, And, AND, suffix)                                                              \
    FOLD_BITS(reduce, REDUCE, Or, OR, suffix)                                                                \
    ROW(bcastBits##suffix, BCAST, NONE, TYPE_##suffix, true, false,                                          \
        if (c->put) p_bcastPutBits##suffix(from_##suffix(c->value), c->bits);                                \
        else c->result = to_##suffix(p_bcastGetBits##suffix(c->bits)))                                       \
    FOLD_BITS(scan, SCAN, Add, ADD, suffix)                                                                  \
    FOLD_BITS(scan, SCAN, Mul, MUL, suffix)                                                                  \
    FOLD_BITS(scan, SCAN, Min, MIN, suffix)                                                                  \
    FOLD_BITS(scan, SCAN, Max, MAX, suffix)                                                                  \
    FOLD_BITS(scan, SCAN, And, AND, suffix)                                                                  \
    FOLD_BITS(scan, SCAN, Or, OR, suffix)                                                                    \
    ROW(rankBits##suffix, RANK, NONE, TYPE_##suffix, true, false,                                            \
        c->result = (uint64_t)p_rankBits##suffix(from_##suffix(c->value), c->bits))                          \
    ROW(matchBits##suffix, MATCH, NONE, TYPE_##suffix, true, false,                                          \
        c->array[0] = p_matchBits##suffix(from_##suffix(c->value), c->bits))                                 \
    ROW(matchWideBits##suffix, MATCH, NONE, TYPE_##suffix, true, true,                                       \
        p_matchWideBits##suffix(c->array, from_##suffix(c->value), c->bits))                                 \
    ROW(matchCountBits##suffix, MATCH_COUNT, NONE, TYPE_##suffix, true, false,                               \
        c->result = (uint64_t)p_matchCountBits##suffix(from_##suffix(c->value), c->bits))

#define ROWS ROWS_UNTYPED PAPERS_ALL(ROWS_ANY_TYPE) PAPERS_INTEGER(ROWS_INTEGER) PAPERS_UNSIGNED(ROWS_BITS)

#define ROW(name, family, fold, type, narrow, wide, ...)                                                     \
    static void call_##name(struct call *c) {                                                                \
        __VA_ARGS__;                                                                                         \
    }
ROWS
#undef ROW

#define ROW(name, family, fold, type, narrow, wide, ...)                                                     \
    {"p_" #name, family, fold, type, narrow, wide, call_##name},
    const struct function functions[] = {ROWS};
#undef ROW
const int function_count = sizeof functions / sizeof *functions;

void functions_print(void) {
    /* those without a meeting, which the oracle and the session tests call by name */
    static const char *const others[] = {"p_init",       "p_exit",      "p_error",       "p_team",
                                         "p_iproc",      "p_nproc",     "p_enqueue",     "p_enqueueWide",
                                         "p_population", "p_enumerate", "p_selectFirst", "p_selectOne"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        puts(others[i]);
    for (int i = 0; i < function_count; i++)
        if (functions[i].family == BCAST) {
            const char *rest = functions[i].name + strlen("p_bcast");
            printf("p_bcastPut%s\np_bcastGet%s\n", rest, rest);
        } else {
            puts(functions[i].name);
        }
}
