/* The local halves of the operations, for each row of types.def:
 *
 *     get_T(p)        the value that a member put
 *     put_T(d, bits)  what to put for d: its low bits; for a truth value 0 or 1
 *     cut_T(r, bits)  a result modulo 2^bits
 *     add_T(a, b), mul_T, min_T, max_T, and_T, or_T: the column `combine` of papers/functions.def
 *     less_T(a, b)    the order of p_rank
 *     same_T(a, b)    the equality of p_match
 *
 * Integers are combined as uint64_t, so that they wrap. */

#ifndef UNO_COMBINE_H
#define UNO_COMBINE_H

#include <math.h>
#include <string.h>

#include "engine/pe.h"
#include "papers.h"

static inline uint64_t uno_low_bits(int bits) {
    return ~(uint64_t)0 >> (64 - bits);
}

/* clang-format off */
#define UNO_COMMON(suffix, type)                                                                             \
    static inline type get_##suffix(const void *p) { type v; memcpy(&v, p, sizeof v); return v; }

#define UNO_INTEGER(suffix, type)                                                                            \
    UNO_COMMON(suffix, type)                                                                                 \
    static inline type add_##suffix(type a, type b) { return (type)((uint64_t)a + (uint64_t)b); }            \
    static inline type mul_##suffix(type a, type b) { return (type)((uint64_t)a * (uint64_t)b); }            \
    static inline type min_##suffix(type a, type b) { return b < a ? b : a; }                                \
    static inline type max_##suffix(type a, type b) { return b > a ? b : a; }                                \
    static inline type and_##suffix(type a, type b) { return (type)(a & b); }                                \
    static inline type or_##suffix(type a, type b) { return (type)(a | b); }                                 \
    static inline bool less_##suffix(type a, type b) { return a < b; }                                       \
    static inline bool same_##suffix(type a, type b) { return a == b; }

#define UNO_UNSIGNED(suffix, type, width)                                                                    \
    UNO_INTEGER(suffix, type)                                                                                \
    static inline type put_##suffix(type d, int bits) {                                                      \
        return width == 1 ? d != 0 : (type)(d & uno_low_bits(bits));                                         \
    }                                                                                                        \
    static inline type cut_##suffix(type r, int bits) { return (type)(r & uno_low_bits(bits)); }
PAPERS_UNSIGNED(UNO_UNSIGNED)

#define UNO_SIGNED(suffix, type, width)                                                                      \
    UNO_INTEGER(suffix, type)                                                                                \
    static inline type put_##suffix(type d, int bits) { (void)bits; return d; }                              \
    static inline type cut_##suffix(type r, int bits) { (void)bits; return r; }
PAPERS_SIGNED(UNO_SIGNED)

/* min and max are IEEE 754-2019's minimum and maximum, with the first NaN in PE order. The choice between two
 * different numbers is one instruction, not a branch, which random data would have predicted wrongly. */
#define UNO_REAL(suffix, type, width)                                                                        \
    UNO_COMMON(suffix, type)                                                                                 \
    static inline type put_##suffix(type d, int bits) { (void)bits; return d; }                              \
    static inline type cut_##suffix(type r, int bits) { (void)bits; return r; }                              \
    static inline type add_##suffix(type a, type b) { return a + b; }                                        \
    static inline type mul_##suffix(type a, type b) { return a * b; }                                        \
    static inline type min_##suffix(type a, type b) {                                                        \
        if (UNO_UNLIKELY(!islessgreater(a, b)))                                                              \
            return isnan(a) ? a : isnan(b) ? b : signbit(a) ? a : b;                                         \
        return b < a ? b : a;                                                                                \
    }                                                                                                        \
    static inline type max_##suffix(type a, type b) {                                                        \
        if (UNO_UNLIKELY(!islessgreater(a, b)))                                                              \
            return isnan(a) ? a : isnan(b) ? b : signbit(a) ? b : a;                                         \
        return b > a ? b : a;                                                                                \
    }                                                                                                        \
    static inline bool less_##suffix(type a, type b) { return (a < b) | ((!isnan(a)) & isnan(b)); }          \
    static inline bool same_##suffix(type a, type b) { return a == b || (isnan(a) && isnan(b)); }
PAPERS_REAL(UNO_REAL)
/* clang-format on */

#endif
