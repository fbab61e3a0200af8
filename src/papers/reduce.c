/* p_reduceAdd and the other reductions: everyone's value, combined in PE order. */

#include "combine.h"

#define REDUCE(Op, CODE, combine, suffix, type, width)                                                       \
    static inline type reduce##Op##_##suffix(type d, int bits) {                                             \
        UNO_MEET(REDUCE_##CODE, suffix, type, d, bits);                                                      \
        int size = pe->group.size;                                                                           \
        type r = get_##suffix(data[0]);                                                                      \
        for (int i = 1; i < size; i++)                                                                       \
            r = combine##_##suffix(r, get_##suffix(data[i]));                                                \
        uno_leave(pe);                                                                                       \
        return cut_##suffix(r, bits);                                                                        \
    }                                                                                                        \
    type p_reduce##Op##suffix(type d) {                                                                      \
        return reduce##Op##_##suffix(d, width);                                                              \
    }

#define REDUCE_ANY_TYPE(suffix, type, width)                                                                 \
    REDUCE(Add, ADD, add, suffix, type, width)                                                               \
    REDUCE(Mul, MUL, mul, suffix, type, width)                                                               \
    REDUCE(Min, MIN, min, suffix, type, width)                                                               \
    REDUCE(Max, MAX, max, suffix, type, width)
PAPERS_ALL(REDUCE_ANY_TYPE)

#define REDUCE_INTEGER(suffix, type, width)                                                                  \
    REDUCE(And, AND, and, suffix, type, width)                                                               \
    REDUCE(Or, OR, or, suffix, type, width)
PAPERS_INTEGER(REDUCE_INTEGER)

#define REDUCE_BITS(Op, suffix, type, width)                                                                 \
    type p_reduce##Op##Bits##suffix(type d, int bits) {                                                      \
        uno_check_bits(bits, width, "p_reduce" #Op "Bits" #suffix);                                          \
        return reduce##Op##_##suffix(d, bits);                                                               \
    }

#define REDUCE_BITS_ALL(suffix, type, width)                                                                 \
    REDUCE_BITS(Add, suffix, type, width)                                                                    \
    REDUCE_BITS(Mul, suffix, type, width)                                                                    \
    REDUCE_BITS(Min, suffix, type, width)                                                                    \
    REDUCE_BITS(Max, suffix, type, width)                                                                    \
    REDUCE_BITS(And, suffix, type, width)                                                                    \
    REDUCE_BITS(Or, suffix, type, width)
PAPERS_UNSIGNED(REDUCE_BITS_ALL)
