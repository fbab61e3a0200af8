/* The type-generic forms: p_reduceAdd(x) is the function for the type of x, p_reduceAdd32(x) where x is an
 * int.
 *
 *     p_putget(d, s)   p_gather(p, d)   p_bcastPut(d)   p_bcastGet(x)   p_rank(d)
 *     p_reduceAdd(d), p_scanAdd(d), and the same with Mul, Min, Max, And, Or
 *     p_match(v)       p_matchCount(v)  p_matchWide(mask, v)
 *
 * and the Bits form of each, as p_reduceAddBits(d, bits). p_bcastGet(x) and p_bcastGetBits(x, bits) assign to
 * the variable x and are its value; p_gather(p, d) goes by the type of *p. An argument is evaluated once.
 *
 * A bool is a 1u. An unsigned int is a 32u: the generic forms do not see that a uint1 is a truth value. char,
 * long and long long are the type of their width and sign. Any other type is an error at compile time.
 * (Before C23 `true` is an int; so are a character constant and the sum of two chars.) In C the result has
 * the type of the function with the suffix, in C++ the type of the argument.
 *
 * C from C11 on, by _Generic; C++, by overloads. */

#ifndef PAPERS_GENERIC_H
#define PAPERS_GENERIC_H

#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L

/* The type by which a row of types.def is chosen: its own, but for truth values, whose width is 1, bool. */
#define PAPERS_KEY_1(type) bool
#define PAPERS_KEY_8(type) type
#define PAPERS_KEY_16(type) type
#define PAPERS_KEY_32(type) type
#define PAPERS_KEY_64(type) type

/* Two of int, long and long long have the same width, and <stdint.h> names one of the two. PAPERS_other is
 * the other. */
#if __SIZEOF_LONG__ == 8
#define PAPERS_OTHER(name) name##64
#define PAPERS_UNSIGNED_OTHER(name) name##64u
#define PAPERS_NAMED int64_t
#define PAPERS_UNSIGNED_NAMED uint64_t
#define PAPERS_PAIRED long long
#else
#define PAPERS_OTHER(name) name##32
#define PAPERS_UNSIGNED_OTHER(name) name##32u
#define PAPERS_NAMED int32_t
#define PAPERS_UNSIGNED_NAMED uint32_t
#define PAPERS_PAIRED int
#endif
#ifdef __cplusplus
#include <type_traits>
typedef std::conditional<std::is_same<PAPERS_NAMED, long>::value, PAPERS_PAIRED, long>::type PAPERS_other;
typedef std::make_unsigned<PAPERS_other>::type PAPERS_unsigned_other;
#else
typedef __typeof__(_Generic((PAPERS_NAMED)0, long : (PAPERS_PAIRED)0, default : 0L)) PAPERS_other;
typedef __typeof__(_Generic((PAPERS_NAMED)0, long
                            : (unsigned PAPERS_PAIRED)0, default : 0UL)) PAPERS_unsigned_other;
#endif

/* PAPERS_gatherS is p_gatherS into an array of the other type of suffix S: bool, char, PAPERS_other. No
 * compiler sees both types of such an array, because the library is compiled apart. */
static inline void PAPERS_gatherBits1u(bool *p, bool d, int bits) {
    enum { NOT_A_MEMBER = 2 };
    uint1 all[1024];
    int n = p_nproc();
    for (int k = 0; k < n; k++)
        all[k] = NOT_A_MEMBER;
    p_gatherBits1u(p ? all : 0, d, bits);
    for (int k = 0; k < n; k++)
        if (all[k] != NOT_A_MEMBER)
            p[k] = all[k] != 0;
}
static inline void PAPERS_gather1u(bool *p, bool d) {
    PAPERS_gatherBits1u(p, d, 1);
}
static inline void PAPERS_OTHER(PAPERS_gather)(PAPERS_other *p, PAPERS_other d) {
    PAPERS_OTHER(p_gather)((PAPERS_NAMED *)(void *)p, d);
}
static inline void PAPERS_UNSIGNED_OTHER(PAPERS_gather)(PAPERS_unsigned_other *p, PAPERS_unsigned_other d) {
    PAPERS_UNSIGNED_OTHER(p_gather)((PAPERS_UNSIGNED_NAMED *)(void *)p, d);
}
static inline void PAPERS_UNSIGNED_OTHER(PAPERS_gatherBits)(PAPERS_unsigned_other *p, PAPERS_unsigned_other d,
                                                            int bits) {
    PAPERS_UNSIGNED_OTHER(p_gatherBits)((PAPERS_UNSIGNED_NAMED *)(void *)p, d, bits);
}
#ifdef __CHAR_UNSIGNED__
static inline void PAPERS_gather8u(char *p, char d) {
    p_gather8u((uint8_t *)p, (uint8_t)d);
}
static inline void PAPERS_gatherBits8u(char *p, char d, int bits) {
    p_gatherBits8u((uint8_t *)p, (uint8_t)d, bits);
}
#else
static inline void PAPERS_gather8(char *p, char d) {
    p_gather8((int8_t *)p, d);
}
#endif

#ifndef __cplusplus

/* clang-format off */

/* The rows of types.def once more: _Generic needs them where a form is used, which may be inside such a row.
 * A row that is missing here does not compile in tests/interface. */
#define PAPERS_CASES_UNSIGNED(name)                                                                          \
    bool: name##1u, uint8_t: name##8u, uint16_t: name##16u, uint32_t: name##32u, uint64_t: name##64u,        \
    PAPERS_unsigned_other: PAPERS_UNSIGNED_OTHER(name) PAPERS_CASE_UNSIGNED_CHAR(name)
#define PAPERS_CASES_INTEGER(name)                                                                           \
    PAPERS_CASES_UNSIGNED(name), int8_t: name##8, int16_t: name##16, int32_t: name##32, int64_t: name##64,   \
    PAPERS_other: PAPERS_OTHER(name) PAPERS_CASE_SIGNED_CHAR(name)
#define PAPERS_CASES_ALL(name) PAPERS_CASES_INTEGER(name), float: name##f, double: name##d
#ifdef __CHAR_UNSIGNED__
#define PAPERS_CHAR(name) name##8u
#define PAPERS_CASE_UNSIGNED_CHAR(name) , char: name##8u
#define PAPERS_CASE_SIGNED_CHAR(name)
#else
#define PAPERS_CHAR(name) name##8
#define PAPERS_CASE_UNSIGNED_CHAR(name)
#define PAPERS_CASE_SIGNED_CHAR(name) , char: name##8
#endif

/* The function `name` for the type of x. */
#define PAPERS_SELECT(x, set, name) _Generic((x), PAPERS_CASES_##set(name))

#define p_putget(d, s) PAPERS_SELECT(d, ALL, p_putget)(d, s)
#define p_bcastPut(d) PAPERS_SELECT(d, ALL, p_bcastPut)(d)
#define p_bcastGet(x) ((x) = PAPERS_SELECT(x, ALL, p_bcastGet)())
#define p_reduceAdd(d) PAPERS_SELECT(d, ALL, p_reduceAdd)(d)
#define p_reduceMul(d) PAPERS_SELECT(d, ALL, p_reduceMul)(d)
#define p_reduceMin(d) PAPERS_SELECT(d, ALL, p_reduceMin)(d)
#define p_reduceMax(d) PAPERS_SELECT(d, ALL, p_reduceMax)(d)
#define p_reduceAnd(d) PAPERS_SELECT(d, INTEGER, p_reduceAnd)(d)
#define p_reduceOr(d) PAPERS_SELECT(d, INTEGER, p_reduceOr)(d)
#define p_scanAdd(d) PAPERS_SELECT(d, ALL, p_scanAdd)(d)
#define p_scanMul(d) PAPERS_SELECT(d, ALL, p_scanMul)(d)
#define p_scanMin(d) PAPERS_SELECT(d, ALL, p_scanMin)(d)
#define p_scanMax(d) PAPERS_SELECT(d, ALL, p_scanMax)(d)
#define p_scanAnd(d) PAPERS_SELECT(d, INTEGER, p_scanAnd)(d)
#define p_scanOr(d) PAPERS_SELECT(d, INTEGER, p_scanOr)(d)
#define p_rank(d) PAPERS_SELECT(d, ALL, p_rank)(d)
#define p_match(v) PAPERS_SELECT(v, ALL, p_match)(v)
#define p_matchCount(v) PAPERS_SELECT(v, ALL, p_matchCount)(v)
#define p_matchWide(mask, v) PAPERS_SELECT(v, ALL, p_matchWide)(mask, v)

#define p_putgetBits(d, s, bits) PAPERS_SELECT(d, UNSIGNED, p_putgetBits)(d, s, bits)
#define p_bcastPutBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_bcastPutBits)(d, bits)
#define p_bcastGetBits(x, bits) ((x) = PAPERS_SELECT(x, UNSIGNED, p_bcastGetBits)(bits))
#define p_reduceAddBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_reduceAddBits)(d, bits)
#define p_reduceMulBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_reduceMulBits)(d, bits)
#define p_reduceMinBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_reduceMinBits)(d, bits)
#define p_reduceMaxBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_reduceMaxBits)(d, bits)
#define p_reduceAndBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_reduceAndBits)(d, bits)
#define p_reduceOrBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_reduceOrBits)(d, bits)
#define p_scanAddBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_scanAddBits)(d, bits)
#define p_scanMulBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_scanMulBits)(d, bits)
#define p_scanMinBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_scanMinBits)(d, bits)
#define p_scanMaxBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_scanMaxBits)(d, bits)
#define p_scanAndBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_scanAndBits)(d, bits)
#define p_scanOrBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_scanOrBits)(d, bits)
#define p_rankBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_rankBits)(d, bits)
#define p_matchBits(v, bits) PAPERS_SELECT(v, UNSIGNED, p_matchBits)(v, bits)
#define p_matchCountBits(v, bits) PAPERS_SELECT(v, UNSIGNED, p_matchCountBits)(v, bits)
#define p_matchWideBits(mask, v, bits) PAPERS_SELECT(v, UNSIGNED, p_matchWideBits)(mask, v, bits)

/* The types whose arrays need more than the function with the suffix come first. */
#define p_gather(p, d)                                                                                       \
    _Generic(*(p), bool: PAPERS_gather1u, char: PAPERS_CHAR(PAPERS_gather),                                  \
             PAPERS_other: PAPERS_OTHER(PAPERS_gather),                                                      \
             PAPERS_unsigned_other: PAPERS_UNSIGNED_OTHER(PAPERS_gather),                                    \
             default: PAPERS_SELECT(*(p), ALL, p_gather))(p, d)
#define p_gatherBits(p, d, bits)                                                                             \
    _Generic(*(p), bool: PAPERS_gatherBits1u,                                                                \
             PAPERS_unsigned_other: PAPERS_UNSIGNED_OTHER(PAPERS_gatherBits)                                 \
             PAPERS_CASE_UNSIGNED_CHAR(PAPERS_gatherBits),                                                   \
             default: PAPERS_SELECT(*(p), UNSIGNED, p_gatherBits))(p, d, bits)
/* clang-format on */

#else

/* F(result, name, suffix, parameters, arguments) for each form but p_bcastGet and p_gather. For the narrow
 * forms B is Bits, and the rest adds a parameter and an argument. */
#define PAPERS_FORMS_INTEGER(F, T, suffix, B, and_parameter, and_argument)                                   \
    F(T, p_reduceAnd##B, suffix, (T d and_parameter), (d and_argument))                                      \
    F(T, p_reduceOr##B, suffix, (T d and_parameter), (d and_argument))                                       \
    F(T, p_scanAnd##B, suffix, (T d and_parameter), (d and_argument))                                        \
    F(T, p_scanOr##B, suffix, (T d and_parameter), (d and_argument))
#define PAPERS_FORMS(F, T, suffix, B, and_parameter, and_argument)                                           \
    F(T, p_putget##B, suffix, (T d, int s and_parameter), (d, s and_argument))                               \
    F(void, p_bcastPut##B, suffix, (T d and_parameter), (d and_argument))                                    \
    F(T, p_reduceAdd##B, suffix, (T d and_parameter), (d and_argument))                                      \
    F(T, p_reduceMul##B, suffix, (T d and_parameter), (d and_argument))                                      \
    F(T, p_reduceMin##B, suffix, (T d and_parameter), (d and_argument))                                      \
    F(T, p_reduceMax##B, suffix, (T d and_parameter), (d and_argument))                                      \
    F(T, p_scanAdd##B, suffix, (T d and_parameter), (d and_argument))                                        \
    F(T, p_scanMul##B, suffix, (T d and_parameter), (d and_argument))                                        \
    F(T, p_scanMin##B, suffix, (T d and_parameter), (d and_argument))                                        \
    F(T, p_scanMax##B, suffix, (T d and_parameter), (d and_argument))                                        \
    F(int, p_rank##B, suffix, (T d and_parameter), (d and_argument))                                         \
    F(uint64_t, p_match##B, suffix, (T v and_parameter), (v and_argument))                                   \
    F(int, p_matchCount##B, suffix, (T v and_parameter), (v and_argument))                                   \
    F(void, p_matchWide##B, suffix, (uint64_t * mask, T v and_parameter), (mask, v and_argument))

#define PAPERS_OVERLOAD(result, name, suffix, parameters, arguments)                                         \
    inline result name parameters {                                                                          \
        return static_cast<result>(name##suffix arguments);                                                  \
    }
#define PAPERS_OVERLOAD_OTHERS(T, suffix, B, gather, and_parameter, and_argument, argument)                  \
    inline T &p_bcastGet##B(T &x and_parameter) {                                                            \
        return x = static_cast<T>(p_bcastGet##B##suffix(argument));                                          \
    }                                                                                                        \
    inline void p_gather##B(T *p, T d and_parameter) {                                                       \
        gather##B##suffix(p, d and_argument);                                                                \
    }
#define PAPERS_AND_INT_BITS , int bits
#define PAPERS_AND_BITS , bits

#define PAPERS_OVERLOADS_INTEGER(T, suffix) PAPERS_FORMS_INTEGER(PAPERS_OVERLOAD, T, suffix, , , )
#define PAPERS_OVERLOADS(T, suffix, gather)                                                                  \
    PAPERS_FORMS(PAPERS_OVERLOAD, T, suffix, , , )                                                           \
    PAPERS_OVERLOAD_OTHERS(T, suffix, , gather, , , )
#define PAPERS_OVERLOADS_UNSIGNED(T, suffix, gather)                                                         \
    PAPERS_FORMS(PAPERS_OVERLOAD, T, suffix, Bits, PAPERS_AND_INT_BITS, PAPERS_AND_BITS)                     \
    PAPERS_FORMS_INTEGER(PAPERS_OVERLOAD, T, suffix, Bits, PAPERS_AND_INT_BITS, PAPERS_AND_BITS)             \
    PAPERS_OVERLOAD_OTHERS(T, suffix, Bits, gather, PAPERS_AND_INT_BITS, PAPERS_AND_BITS, bits)

#define PAPERS_GATHER_1 PAPERS_gather
#define PAPERS_GATHER_8 p_gather
#define PAPERS_GATHER_16 p_gather
#define PAPERS_GATHER_32 p_gather
#define PAPERS_GATHER_64 p_gather
#define PAPERS_ROW(suffix, type, width)                                                                      \
    PAPERS_OVERLOADS(PAPERS_KEY_##width(type), suffix, PAPERS_GATHER_##width)
#define PAPERS_ROW_INTEGER(suffix, type, width) PAPERS_OVERLOADS_INTEGER(PAPERS_KEY_##width(type), suffix)
#define PAPERS_ROW_UNSIGNED(suffix, type, width)                                                             \
    PAPERS_OVERLOADS_UNSIGNED(PAPERS_KEY_##width(type), suffix, PAPERS_GATHER_##width)
PAPERS_ALL(PAPERS_ROW)
PAPERS_INTEGER(PAPERS_ROW_INTEGER)
PAPERS_UNSIGNED(PAPERS_ROW_UNSIGNED)

/* The types without a row; _X expands the suffix before it is pasted. */
#define PAPERS_OVERLOADS_X(T, suffix)                                                                        \
    PAPERS_OVERLOADS(T, suffix, PAPERS_gather)                                                               \
    PAPERS_OVERLOADS_INTEGER(T, suffix)
#define PAPERS_OVERLOADS_UNSIGNED_X(T, suffix)                                                               \
    PAPERS_OVERLOADS_X(T, suffix)                                                                            \
    PAPERS_OVERLOADS_UNSIGNED(T, suffix, PAPERS_gather)
PAPERS_OVERLOADS_X(PAPERS_other, PAPERS_OTHER())
PAPERS_OVERLOADS_UNSIGNED_X(PAPERS_unsigned_other, PAPERS_UNSIGNED_OTHER())
#ifdef __CHAR_UNSIGNED__
PAPERS_OVERLOADS_UNSIGNED_X(char, 8u)
#else
PAPERS_OVERLOADS_X(char, 8)
#endif

/* Without these a pointer would be taken for a truth value. */
#define PAPERS_DELETE(result, name, suffix, parameters, arguments)                                           \
    template <class T> result name parameters = delete;
PAPERS_FORMS(PAPERS_DELETE, T, , , , )
PAPERS_FORMS_INTEGER(PAPERS_DELETE, T, , , , )
PAPERS_FORMS(PAPERS_DELETE, T, , Bits, PAPERS_AND_INT_BITS, )
PAPERS_FORMS_INTEGER(PAPERS_DELETE, T, , Bits, PAPERS_AND_INT_BITS, )
template <class T> T &p_bcastGet(T &x) = delete;
template <class T> T &p_bcastGetBits(T &x, int bits) = delete;
template <class T> void p_gather(T *p, T d) = delete;
template <class T> void p_gatherBits(T *p, T d, int bits) = delete;

#endif
#endif
#endif
