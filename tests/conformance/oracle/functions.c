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

/* The statements that carry out a call of each shape, and one of a narrow form: ROW(name, row, prefix,
 * combine, type, narrow, wide, statements). */
#define VALUE(prefix, name, combine, s, type)                                                                \
    ROW(name##s, name, prefix, #combine, TYPE_##s, false, false,                                             \
        c->result = to_##s(name##s(from_##s(c->value))))
#define VALUE_BITS(prefix, name, combine, s, type)                                                           \
    ROW(name##Bits##s, name, prefix, #combine, TYPE_##s, true, false,                                        \
        c->result = to_##s(name##Bits##s(from_##s(c->value), c->bits)))
#define NUMBER(prefix, name, combine, s, type)                                                               \
    ROW(name##s, name, false, NULL, TYPE_##s, false, false, c->result = (uint64_t)name##s(from_##s(c->value)))
#define NUMBER_BITS(prefix, name, combine, s, type)                                                          \
    ROW(name##Bits##s, name, false, NULL, TYPE_##s, true, false,                                             \
        c->result = (uint64_t)name##Bits##s(from_##s(c->value), c->bits))
#define MASK(prefix, name, combine, s, type)                                                                 \
    ROW(name##s, name, false, NULL, TYPE_##s, false, false, c->array[0] = name##s(from_##s(c->value)))       \
    ROW(name##Wide##s, name, false, NULL, TYPE_##s, false, true, name##Wide##s(c->array, from_##s(c->value)))
#define MASK_BITS(prefix, name, combine, s, type)                                                            \
    ROW(name##Bits##s, name, false, NULL, TYPE_##s, true, false,                                             \
        c->array[0] = name##Bits##s(from_##s(c->value), c->bits))                                            \
    ROW(name##WideBits##s, name, false, NULL, TYPE_##s, true, true,                                          \
        name##WideBits##s(c->array, from_##s(c->value), c->bits))
#define FROM(prefix, name, combine, s, type)                                                                 \
    ROW(name##s, name, false, NULL, TYPE_##s, false, false,                                                  \
        c->result = to_##s(name##s(from_##s(c->value), c->source)))
#define FROM_BITS(prefix, name, combine, s, type)                                                            \
    ROW(name##Bits##s, name, false, NULL, TYPE_##s, true, false,                                             \
        c->result = to_##s(name##Bits##s(from_##s(c->value), c->source, c->bits)))
#define ARRAY(prefix, name, combine, s, type)                                                                \
    ROW(name##s, name, false, NULL, TYPE_##s, false, false,                                                  \
        GATHER_INTO(s, type, name##s(p, from_##s(c->value))))
#define ARRAY_BITS(prefix, name, combine, s, type)                                                           \
    ROW(name##Bits##s, name, false, NULL, TYPE_##s, true, false,                                             \
        GATHER_INTO(s, type, name##Bits##s(p, from_##s(c->value), c->bits)))
#define PUTGET(prefix, name, combine, s, type)                                                               \
    ROW(name##s, name, false, NULL, TYPE_##s, false, false, if (c->put) name##Put##s(from_##s(c->value));    \
        else c->result = to_##s(name##Get##s()))
#define PUTGET_BITS(prefix, name, combine, s, type)                                                          \
    ROW(name##Bits##s, name, false, NULL, TYPE_##s, true, false,                                             \
        if (c->put) name##PutBits##s(from_##s(c->value), c->bits);                                           \
        else c->result = to_##s(name##GetBits##s(c->bits)))

#define UNTYPED_BARRIER(name) ROW(name, name, false, NULL, TYPE_NONE, false, false, (void)c; name())
#define UNTYPED_NUMBER(name)                                                                                 \
    ROW(name, name, false, NULL, TYPE_NONE, false, false, c->result = (uint64_t)name((int)c->value))
#define UNTYPED_MASK(name)                                                                                   \
    ROW(name, name, false, NULL, TYPE_NONE, false, false, c->array[0] = name((int)c->value))                 \
    ROW(name##Wide, name, false, NULL, TYPE_NONE, false, true, name##Wide(c->array, (int)c->value))

#define UNTYPED(name, shape, combine, unused) UNTYPED_##shape(name)
#define TYPED(name, shape, combine, prefix, s, type) shape(prefix, name, combine, s, type)
#define NARROW(name, shape, combine, prefix, s, type) shape##_BITS(prefix, name, combine, s, type)

#define ROWS_ANY_TYPE(s, type, width)                                                                        \
    PAPERS_PATTERNS_ALL(TYPED, false, s, type)                                                               \
    PAPERS_REDUCTIONS_ALL(TYPED, false, s, type)                                                             \
    PAPERS_BROADCASTS_ALL(TYPED, false, s, type)                                                             \
    PAPERS_SCANS_ALL(TYPED, true, s, type)                                                                   \
    PAPERS_MATCHES_ALL(TYPED, false, s, type)
#define ROWS_INTEGER(s, type, width)                                                                         \
    PAPERS_REDUCTIONS_INTEGER(TYPED, false, s, type)                                                         \
    PAPERS_SCANS_INTEGER(TYPED, true, s, type)
#define ROWS_BITS(s, type, width)                                                                            \
    PAPERS_PATTERNS_ALL(NARROW, false, s, type)                                                              \
    PAPERS_REDUCTIONS_ALL(NARROW, false, s, type)                                                            \
    PAPERS_REDUCTIONS_INTEGER(NARROW, false, s, type)                                                        \
    PAPERS_BROADCASTS_ALL(NARROW, false, s, type)                                                            \
    PAPERS_SCANS_ALL(NARROW, true, s, type)                                                                  \
    PAPERS_SCANS_INTEGER(NARROW, true, s, type)                                                              \
    PAPERS_MATCHES_ALL(NARROW, false, s, type)

#define ROWS                                                                                                 \
    PAPERS_UNTYPED(UNTYPED, )                                                                                \
    PAPERS_ALL(ROWS_ANY_TYPE) PAPERS_INTEGER(ROWS_INTEGER) PAPERS_UNSIGNED(ROWS_BITS)

#define ROW(name, row, prefix, combine, type, narrow, wide, ...)                                             \
    static void call_##name(struct call *c) {                                                                \
        __VA_ARGS__;                                                                                         \
    }
ROWS
#undef ROW

#define ROW(name, row, prefix, combine, type, narrow, wide, ...)                                             \
    {#name, ROW_##row, combine, prefix, type, narrow, wide, call_##name},
    const struct function functions[] = {ROWS};
#undef ROW
const int function_count = sizeof functions / sizeof *functions;

void functions_print(void) {
    /* those without a meeting, which the oracle and the session tests call by name */
    static const char *const others[] = {"p_init",        "p_exit",        "p_error",      "p_onError",
                                         "p_onWait",      "p_team",        "p_iproc",      "p_nproc",
                                         "p_enqueue",     "p_enqueueWide", "p_population", "p_enumerate",
                                         "p_selectFirst", "p_selectOne",   "p_interrupt",  "p_onInterrupt"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        puts(others[i]);
    for (int i = 0; i < function_count; i++)
        if (functions[i].row == ROW_p_bcast) {
            const char *rest = functions[i].name + strlen("p_bcast");
            printf("p_bcastPut%s\np_bcastGet%s\n", rest, rest);
        } else {
            puts(functions[i].name);
        }
}
