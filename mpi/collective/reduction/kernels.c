/* Compiled for every processor, and by kernels_wide.c for those that take more elements at a time. */

#include "collective/reduction/kernels.h"

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef UNO_KERNELS_OF
#define UNO_KERNELS_OF uno_kernels_plain
#endif

/* Placed before a loop: the elements that it writes are those that it has read in the same step, or lie
 * apart, so the compiler need not check for overlaps. */
#if defined(__clang__)
#define APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define APART _Pragma("GCC ivdep")
#endif

/* Placed in a loop: it hides the next rank from the compiler, so that it does not unroll the loop over ranks,
 * which takes longer for few of them. */
#define ONE_BY_ONE(k) __asm__("" : "+r"(k))

/* Few elements: one after the other, in a register. Many: member after member, so that the compiler may take
 * several elements at a time. The order in which an element is combined is that of the ranks in both. */
#define REDUCE(name, type, expression)                                                                       \
    static void name(const void *const *data, int n, size_t count, void *out) {                              \
        type *r = out;                                                                                       \
        if (count <= 6) {                                                                                    \
            for (size_t i = 0; i < count; i++) {                                                             \
                type a = ((const type *)data[0])[i];                                                         \
                for (int k = 1; k < n; k++) {                                                                \
                    ONE_BY_ONE(k);                                                                           \
                    type b = ((const type *)data[k])[i];                                                     \
                    a = (type)(expression);                                                                  \
                }                                                                                            \
                r[i] = a;                                                                                    \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        const type *first = data[0], *second = data[1];                                                      \
        APART                                                                                                \
        for (size_t i = 0; i < count; i++) {                                                                 \
            type a = first[i], b = second[i];                                                                \
            r[i] = (type)(expression);                                                                       \
        }                                                                                                    \
        for (int k = 2; k < n; k++) {                                                                        \
            const type *next = data[k];                                                                      \
            APART                                                                                            \
            for (size_t i = 0; i < count; i++) {                                                             \
                type a = r[i], b = next[i];                                                                  \
                r[i] = (type)(expression);                                                                   \
            }                                                                                                \
        }                                                                                                    \
    }

#define SUM_PROD(suffix, type)                                                                               \
    REDUCE(sum_##suffix, type, a + b)                                                                        \
    REDUCE(prod_##suffix, type, a *b)

#define ORDER(suffix, type)                                                                                  \
    REDUCE(min_##suffix, type, a < b ? a : b)                                                                \
    REDUCE(max_##suffix, type, a > b ? a : b)

#define LOGIC(suffix, type)                                                                                  \
    REDUCE(land_##suffix, type, a &&b)                                                                       \
    REDUCE(lor_##suffix, type, a || b)                                                                       \
    REDUCE(lxor_##suffix, type, !a != !b)

#define BITS(suffix, type)                                                                                   \
    REDUCE(band_##suffix, type, a &b)                                                                        \
    REDUCE(bor_##suffix, type, a | b)                                                                        \
    REDUCE(bxor_##suffix, type, a ^ b)

/* A pair has padding, or a program may have put something else there: only its two parts are written. */
#define PAIR(suffix, type)                                                                                   \
    PAIR_REDUCE(minloc_##suffix, type, b.value < a.value)                                                    \
    PAIR_REDUCE(maxloc_##suffix, type, b.value > a.value)
#define PAIR_REDUCE(name, type, better)                                                                      \
    static void name(const void *const *data, int n, size_t count, void *out) {                              \
        type *r = out;                                                                                       \
        for (size_t i = 0; i < count; i++) {                                                                 \
            type a = ((const type *)data[0])[i];                                                             \
            for (int k = 1; k < n; k++) {                                                                    \
                type b = ((const type *)data[k])[i];                                                         \
                if (better || (b.value == a.value && b.place < a.place))                                     \
                    a = b;                                                                                   \
            }                                                                                                \
            r[i].value = a.value;                                                                            \
            r[i].place = a.place;                                                                            \
        }                                                                                                    \
    }

#define PAIR_OF(name, first, second)                                                                         \
    struct name {                                                                                            \
        first value;                                                                                         \
        second place;                                                                                        \
    };
PAIR_OF(float_int, float, int)
PAIR_OF(double_int, double, int)
PAIR_OF(long_int, long, int)
PAIR_OF(int_int, int, int)
PAIR_OF(short_int, short, int)
PAIR_OF(long_double_int, long double, int)
PAIR_OF(float_float, float, float)
PAIR_OF(double_double, double, double)

#define SUM_PROD_ROWS(suffix) [UNO_SUM] = sum_##suffix, [UNO_PROD] = prod_##suffix
#define ORDER_ROWS(suffix) [UNO_MIN] = min_##suffix, [UNO_MAX] = max_##suffix
#define LOGIC_ROWS(suffix) [UNO_LAND] = land_##suffix, [UNO_LOR] = lor_##suffix, [UNO_LXOR] = lxor_##suffix
#define PAIR_ROWS(suffix) [UNO_MINLOC] = minloc_##suffix, [UNO_MAXLOC] = maxloc_##suffix
#define BITS_ROWS(suffix) [UNO_BAND] = band_##suffix, [UNO_BOR] = bor_##suffix, [UNO_BXOR] = bxor_##suffix

/* Every kind of element: X(suffix, type, class, its operators). Wider integers than MPI's are left out. */
#define KINDS(X)                                                                                             \
    X(i8, int8_t, UNO_SIGNED, INTEGER)                                                                       \
    X(i16, int16_t, UNO_SIGNED, INTEGER)                                                                     \
    X(i32, int32_t, UNO_SIGNED, INTEGER)                                                                     \
    X(i64, int64_t, UNO_SIGNED, INTEGER)                                                                     \
    X(u8, uint8_t, UNO_UNSIGNED, INTEGER)                                                                    \
    X(u16, uint16_t, UNO_UNSIGNED, INTEGER)                                                                  \
    X(u32, uint32_t, UNO_UNSIGNED, INTEGER)                                                                  \
    X(u64, uint64_t, UNO_UNSIGNED, INTEGER)                                                                  \
    X(f32, float, UNO_REAL, NUMBER)                                                                          \
    X(f64, double, UNO_REAL, NUMBER)                                                                         \
    X(long_real, long double, UNO_LONG_REAL, NUMBER)                                                         \
    X(c32, float _Complex, UNO_COMPLEX, FIELD)                                                               \
    X(c64, double _Complex, UNO_COMPLEX, FIELD)                                                              \
    X(long_complex, long double _Complex, UNO_COMPLEX, FIELD)                                                \
    X(bool, bool, UNO_BOOL, TRUTH)                                                                           \
    X(logical, int32_t, UNO_LOGICAL, TRUTH)                                                                  \
    X(byte, uint8_t, UNO_BYTE, PATTERN)                                                                      \
    X(float_int, struct float_int, UNO_FLOAT_INT, PAIR)                                                      \
    X(double_int, struct double_int, UNO_DOUBLE_INT, PAIR)                                                   \
    X(long_int, struct long_int, UNO_LONG_INT, PAIR)                                                         \
    X(int_int, struct int_int, UNO_INT_INT, PAIR)                                                            \
    X(short_int, struct short_int, UNO_SHORT_INT, PAIR)                                                      \
    X(long_double_int, struct long_double_int, UNO_LONG_DOUBLE_INT, PAIR)                                    \
    X(float_float, struct float_float, UNO_FLOAT_FLOAT, PAIR)                                                \
    X(double_double, struct double_double, UNO_DOUBLE_DOUBLE, PAIR)

#define INTEGER(suffix, type)                                                                                \
    SUM_PROD(suffix, type) ORDER(suffix, type) LOGIC(suffix, type) BITS(suffix, type)
#define NUMBER(suffix, type) SUM_PROD(suffix, type) ORDER(suffix, type)
#define FIELD(suffix, type) SUM_PROD(suffix, type)
#define TRUTH(suffix, type) LOGIC(suffix, type)
#define PATTERN(suffix, type) BITS(suffix, type)
#define X(suffix, type, class, ability) ability(suffix, type)
KINDS(X)
#undef X

#define INTEGER_ROWS(suffix) SUM_PROD_ROWS(suffix), ORDER_ROWS(suffix), LOGIC_ROWS(suffix), BITS_ROWS(suffix)
#define NUMBER_ROWS(suffix) SUM_PROD_ROWS(suffix), ORDER_ROWS(suffix)
#define FIELD_ROWS(suffix) SUM_PROD_ROWS(suffix)
#define TRUTH_ROWS(suffix) LOGIC_ROWS(suffix)
#define PATTERN_ROWS(suffix) BITS_ROWS(suffix)
enum {
#define X(suffix, type, class, ability) AT_##suffix,
    KINDS(X)
#undef X
};
static const uno_kernel kinds[][UNO_OPERATORS] = {
#define X(suffix, type, class, ability) [AT_##suffix] = {ability##_ROWS(suffix)},
    KINDS(X)
#undef X
};

/* Every reduction asks for it: no search. */
const uno_kernel *UNO_KERNELS_OF(enum uno_class class, size_t extent) {
    enum { WIDEST = 64 };
    switch (extent < WIDEST ? (size_t) class * WIDEST + extent : 0) {
#define X(suffix, type, class, ability)                                                                      \
    case (size_t) class *WIDEST + sizeof(type):                                                              \
        return kinds[AT_##suffix];
        KINDS(X)
#undef X
    default:
        return NULL;
    }
}
