/* The type-generic forms: p_reduceAdd(x) is the function for the type of x, p_reduceAdd32(x) where x is an
 * int.
 *
 *     p_putget(d, s)   p_gather(p, d)   p_bcastPut(d)   p_bcastGet(x)   p_rank(d)
 *     p_reduceAdd(d), p_scanAdd(d), and the same for the other reductions and scans
 *     p_match(d)       p_matchCount(d)  p_matchWide(mask, d)
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
    uint1 all[16384];
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

/* The types whose arrays need more than the function with the suffix come first. */
#define PAPERS_SELECT_ARRAY(p)                                                                               \
    _Generic(*(p), bool: PAPERS_gather1u, char: PAPERS_CHAR(PAPERS_gather),                                  \
             PAPERS_other: PAPERS_OTHER(PAPERS_gather),                                                      \
             PAPERS_unsigned_other: PAPERS_UNSIGNED_OTHER(PAPERS_gather),                                    \
             default: PAPERS_SELECT(*(p), ALL, p_gather))
#define PAPERS_SELECT_ARRAY_BITS(p)                                                                          \
    _Generic(*(p), bool: PAPERS_gatherBits1u,                                                                \
             PAPERS_unsigned_other: PAPERS_UNSIGNED_OTHER(PAPERS_gatherBits)                                 \
             PAPERS_CASE_UNSIGNED_CHAR(PAPERS_gatherBits),                                                   \
             default: PAPERS_SELECT(*(p), UNSIGNED, p_gatherBits))
/* clang-format on */

#else

/* Without optimization too an overload is no place of its own, so that reports have the program's line. */
#define PAPERS_INLINE inline __attribute__((always_inline, artificial))

/* An overload for each function of a row. p_bcastGet and p_gather have forms of their own; gather is what the
 * name of the latter begins with. */
#define PAPERS_OVERLOAD(result, name, suffix, parameters, arguments)                                         \
    PAPERS_INLINE result name parameters {                                                                   \
        return static_cast<result>(name##suffix arguments);                                                  \
    }
#define PAPERS_OVERLOAD_VALUE(name, T, suffix, gather) PAPERS_VALUE(PAPERS_OVERLOAD, name, T, suffix)
#define PAPERS_OVERLOAD_NUMBER(name, T, suffix, gather) PAPERS_NUMBER(PAPERS_OVERLOAD, name, T, suffix)
#define PAPERS_OVERLOAD_MASK(name, T, suffix, gather) PAPERS_MASK(PAPERS_OVERLOAD, name, T, suffix)
#define PAPERS_OVERLOAD_FROM(name, T, suffix, gather) PAPERS_FROM(PAPERS_OVERLOAD, name, T, suffix)
#define PAPERS_OVERLOAD_ARRAY(name, T, suffix, gather)                                                       \
    PAPERS_INLINE void name(T *p, T d) {                                                                     \
        gather##suffix(p, d);                                                                                \
    }
#define PAPERS_OVERLOAD_PUTGET(name, T, suffix, gather)                                                      \
    PAPERS_OVERLOAD(void, name##Put, suffix, (T d), (d))                                                     \
    PAPERS_INLINE T &name##Get(T &x) {                                                                       \
        return x = static_cast<T>(name##Get##suffix());                                                      \
    }

#define PAPERS_OVERLOAD_BITS_VALUE(name, T, suffix, gather)                                                  \
    PAPERS_VALUE_BITS(PAPERS_OVERLOAD, name, T, suffix)
#define PAPERS_OVERLOAD_BITS_NUMBER(name, T, suffix, gather)                                                 \
    PAPERS_NUMBER_BITS(PAPERS_OVERLOAD, name, T, suffix)
#define PAPERS_OVERLOAD_BITS_MASK(name, T, suffix, gather) PAPERS_MASK_BITS(PAPERS_OVERLOAD, name, T, suffix)
#define PAPERS_OVERLOAD_BITS_FROM(name, T, suffix, gather) PAPERS_FROM_BITS(PAPERS_OVERLOAD, name, T, suffix)
#define PAPERS_OVERLOAD_BITS_ARRAY(name, T, suffix, gather)                                                  \
    PAPERS_INLINE void name##Bits(T *p, T d, int bits) {                                                     \
        gather##Bits##suffix(p, d, bits);                                                                    \
    }
#define PAPERS_OVERLOAD_BITS_PUTGET(name, T, suffix, gather)                                                 \
    PAPERS_OVERLOAD(void, name##PutBits, suffix, (T d, int bits), (d, bits))                                 \
    PAPERS_INLINE T &name##GetBits(T &x, int bits) {                                                         \
        return x = static_cast<T>(name##GetBits##suffix(bits));                                              \
    }

#define PAPERS_OVERLOAD_ROW(name, shape, combine, T, suffix, gather)                                         \
    PAPERS_OVERLOAD_##shape(name, T, suffix, gather)
#define PAPERS_OVERLOAD_BITS_ROW(name, shape, combine, T, suffix, gather)                                    \
    PAPERS_OVERLOAD_BITS_##shape(name, T, suffix, gather)
#define PAPERS_OVERLOADS(T, suffix, gather) PAPERS_FUNCTIONS_ALL(PAPERS_OVERLOAD_ROW, T, suffix, gather)
#define PAPERS_OVERLOADS_INTEGER(T, suffix) PAPERS_FUNCTIONS_INTEGER(PAPERS_OVERLOAD_ROW, T, suffix, p_gather)
#define PAPERS_OVERLOADS_UNSIGNED(T, suffix, gather)                                                         \
    PAPERS_FUNCTIONS_ALL(PAPERS_OVERLOAD_BITS_ROW, T, suffix, gather)                                        \
    PAPERS_FUNCTIONS_INTEGER(PAPERS_OVERLOAD_BITS_ROW, T, suffix, gather)

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
#define PAPERS_DELETE_ROW(name, shape, combine, ...)                                                         \
    PAPERS_##shape(PAPERS_DELETE, name, T, ) PAPERS_##shape##_BITS(PAPERS_DELETE, name, T, )
PAPERS_FUNCTIONS_ALL(PAPERS_DELETE_ROW, )
PAPERS_FUNCTIONS_INTEGER(PAPERS_DELETE_ROW, )
template <class T> T &p_bcastGet(T &x) = delete;
template <class T> T &p_bcastGetBits(T &x, int bits) = delete;

#endif
#endif
#endif
