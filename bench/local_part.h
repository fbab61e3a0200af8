/* The local part of each typed operation: PE `me`'s result, computed from the values of all n PEs. It is the
 * worker's oracle, and the second half of an operation that a side builds from an exchange. Compiled with
 * -fwrapv: integers wrap. Operations combine in PE order. */

#ifndef BENCH_LOCAL_H
#define BENCH_LOCAL_H

#include "protocol.h"

/* Combine r with each v[k] up to the last one. */
#define FOLD(name, suffix, type, last, expression)                                                           \
    static inline type local_##name##suffix(const type *v, int me, int n, int who) {                         \
        (void)me, (void)n, (void)who;                                                                        \
        type r = v[0];                                                                                       \
        for (int k = 1; k <= (last); k++) {                                                                  \
            type d = v[k];                                                                                   \
            r = (type)(expression);                                                                          \
        }                                                                                                    \
        return r;                                                                                            \
    }

/* Count the k, or collect the mask of the k, for which v[k] stands in the given relation to v[me]. */
#define COUNT(name, suffix, type, result, one, relation)                                                     \
    static inline result local_##name##suffix(const type *v, int me, int n, int who) {                       \
        (void)who;                                                                                           \
        result r = 0;                                                                                        \
        type mine = v[me];                                                                                   \
        for (int k = 0; k < n; k++)                                                                          \
            if (relation)                                                                                    \
                r += (one);                                                                                  \
        return r;                                                                                            \
    }

#define ANY_TYPE(s, type)                                                                                    \
    static inline type local_putget##s(const type *v, int me, int n, int who) {                              \
        (void)me, (void)n;                                                                                   \
        return v[who];                                                                                       \
    }                                                                                                        \
    FOLD(reduceAdd, s, type, n - 1, r + d)                                                                   \
    FOLD(reduceMul, s, type, n - 1, r * d)                                                                   \
    FOLD(reduceMin, s, type, n - 1, d < r ? d : r)                                                           \
    FOLD(reduceMax, s, type, n - 1, d > r ? d : r)                                                           \
    FOLD(scanAdd, s, type, me, r + d)                                                                        \
    FOLD(scanMul, s, type, me, r *d)                                                                         \
    FOLD(scanMin, s, type, me, d < r ? d : r)                                                                \
    FOLD(scanMax, s, type, me, d > r ? d : r)                                                                \
    COUNT(rank, s, type, int, 1, v[k] < mine || (v[k] == mine && k < me))                                    \
    COUNT(matchCount, s, type, int, 1, v[k] == mine)                                                         \
    COUNT(match, s, type, uint64_t, (uint64_t)1 << k, v[k] == mine)
BENCH_TYPES(ANY_TYPE)

#define INTEGER_TYPE(s, type)                                                                                \
    FOLD(reduceAnd, s, type, n - 1, r & d)                                                                   \
    FOLD(reduceOr, s, type, n - 1, r | d)                                                                    \
    FOLD(scanAnd, s, type, me, r &d)                                                                         \
    FOLD(scanOr, s, type, me, r | d)
BENCH_INTEGERS(INTEGER_TYPE)

#undef FOLD
#undef COUNT
#undef ANY_TYPE
#undef INTEGER_TYPE

static inline uint64_t local_vote(const int *v, int me, int n) {
    uint64_t r = 0;
    for (int k = 0; k < n; k++)
        r |= (uint64_t)(v[k] == me) << k;
    return r;
}

static inline uint64_t local_waitvec(const int *v, int n) {
    uint64_t r = 0;
    for (int k = 0; k < n; k++)
        r |= (uint64_t)(v[k] != 0) << k;
    return r;
}

/* The operations with a local part, for one type: X(name, suffix, type, type of the result). */
#define LOCAL_INTEGER(X, s, type)                                                                            \
    X(reduceAnd, s, type, type)                                                                              \
    X(reduceOr, s, type, type)                                                                               \
    X(scanAnd, s, type, type)                                                                                \
    X(scanOr, s, type, type)
#define LOCAL_ALL(X, s, type)                                                                                \
    X(putget, s, type, type)                                                                                 \
    X(reduceAdd, s, type, type)                                                                              \
    X(reduceMul, s, type, type)                                                                              \
    X(reduceMin, s, type, type)                                                                              \
    X(reduceMax, s, type, type)                                                                              \
    X(scanAdd, s, type, type)                                                                                \
    X(scanMul, s, type, type)                                                                                \
    X(scanMin, s, type, type)                                                                                \
    X(scanMax, s, type, type)                                                                                \
    X(rank, s, type, int)                                                                                    \
    X(matchCount, s, type, int)                                                                              \
    X(match, s, type, uint64_t)

#endif
