/* Loops over arrays, by the library's own definitions of how two values combine, order and compare. */

#include "core.h"

#include "papers/combine.h"

#define COMBINE(name, shape, combine, suffix, width)                                                         \
    static void combine##_all_##suffix(void *to, const void *left, const void *right, size_t count) {        \
        core_element_##suffix *r = to;                                                                       \
        const core_element_##suffix *a = left, *b = right;                                                   \
        for (size_t i = 0; i < count; i++)                                                                   \
            r[i] = (core_element_##suffix)cut_##suffix(                                                      \
                combine##_##suffix(put_##suffix(a[i], width), put_##suffix(b[i], width)), width);            \
    }

#define LOOPS(suffix, width)                                                                                 \
    PAPERS_REDUCTIONS_ALL(COMBINE, suffix, width)                                                            \
    static void order_##suffix(int64_t *to, const void *own, const void *other, size_t count, bool before) { \
        const core_element_##suffix *a = own, *b = other;                                                    \
        for (size_t i = 0; i < count; i++)                                                                   \
            to[i] += less_##suffix(b[i], a[i]) || (before && !less_##suffix(a[i], b[i]));                    \
    }                                                                                                        \
    static void match_##suffix(uint64_t *to, const void *own, const void *other, size_t count,               \
                               uint64_t step) {                                                              \
        const core_element_##suffix *a = own, *b = other;                                                    \
        for (size_t i = 0; i < count; i++)                                                                   \
            to[i] += same_##suffix(a[i], b[i]) ? step : 0;                                                   \
    }

#define ENTRY(name, shape, combine, suffix) [CORE_##combine] = combine##_all_##suffix,
#define TABLE(suffix, ...)                                                                                   \
    const struct core_loops core_loops_##suffix = {                                                          \
        .combine = {PAPERS_REDUCTIONS_ALL(ENTRY, suffix) __VA_ARGS__},                                       \
        .order = order_##suffix,                                                                             \
        .match = match_##suffix,                                                                             \
    };

#define INTEGER(suffix, type, width)                                                                         \
    LOOPS(suffix, width)                                                                                     \
    PAPERS_REDUCTIONS_INTEGER(COMBINE, suffix, width)                                                        \
    TABLE(suffix, PAPERS_REDUCTIONS_INTEGER(ENTRY, suffix))
#define REAL(suffix, type, width)                                                                            \
    LOOPS(suffix, width)                                                                                     \
    TABLE(suffix, )
PAPERS_INTEGER(INTEGER)
PAPERS_REAL(REAL)
