/* The reductions: everyone's value, combined in PE order.
 *
 * For p_reduceAdd32 the columns of papers/functions.def and papers/types.def are name = p_reduceAdd,
 * combine = add (combine.h), suffix = 32, type = int32_t, width = 32. */

#include "meet.h"

#define REDUCE(name, shape, combine, suffix, type, width)                                                    \
    static inline type local_##name##suffix(type d, int bits) {                                              \
        UNO_MEET(name, suffix, type, d, bits);                                                               \
        int size = pe->group.size;                                                                           \
        type r = get_##suffix(data[0]);                                                                      \
        for (int i = 1; i < size; i++)                                                                       \
            r = combine##_##suffix(r, get_##suffix(data[i]));                                                \
        uno_leave(pe);                                                                                       \
        return cut_##suffix(r, bits);                                                                        \
    }                                                                                                        \
    type name##suffix(type d) {                                                                              \
        return local_##name##suffix(d, width);                                                               \
    }

#define REDUCE_ANY_TYPE(suffix, type, width) PAPERS_REDUCTIONS_ALL(REDUCE, suffix, type, width)
#define REDUCE_INTEGER(suffix, type, width) PAPERS_REDUCTIONS_INTEGER(REDUCE, suffix, type, width)
PAPERS_ALL(REDUCE_ANY_TYPE)
PAPERS_INTEGER(REDUCE_INTEGER)

#define REDUCE_BITS(name, shape, combine, suffix, type, width)                                               \
    type name##Bits##suffix(type d, int bits) {                                                              \
        uno_check_bits(bits, width, #name "Bits" #suffix);                                                   \
        return local_##name##suffix(d, bits);                                                                \
    }

#define REDUCE_UNSIGNED(suffix, type, width)                                                                 \
    PAPERS_REDUCTIONS_ALL(REDUCE_BITS, suffix, type, width)                                                  \
    PAPERS_REDUCTIONS_INTEGER(REDUCE_BITS, suffix, type, width)
PAPERS_UNSIGNED(REDUCE_UNSIGNED)
