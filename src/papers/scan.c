/* p_scanAdd and the other scans, p_rank: everyone's value, the part up to this PE combined in PE order. */

#include "combine.h"

#define SCAN(Op, CODE, combine, suffix, type, width)                                                         \
    static inline type scan##Op##_##suffix(type d, int bits) {                                               \
        UNO_MEET(SCAN_##CODE, suffix, type, d, bits);                                                        \
        int rank = pe->group.rank;                                                                           \
        type r = get_##suffix(data[0]);                                                                      \
        for (int i = 1; i <= rank; i++)                                                                      \
            r = combine##_##suffix(r, get_##suffix(data[i]));                                                \
        uno_leave(pe);                                                                                       \
        return cut_##suffix(r, bits);                                                                        \
    }                                                                                                        \
    type p_scan##Op##suffix(type d) {                                                                        \
        return scan##Op##_##suffix(d, width);                                                                \
    }

#define SCAN_ANY_TYPE(suffix, type, width)                                                                   \
    SCAN(Add, ADD, add, suffix, type, width)                                                                 \
    SCAN(Mul, MUL, mul, suffix, type, width)                                                                 \
    SCAN(Min, MIN, min, suffix, type, width)                                                                 \
    SCAN(Max, MAX, max, suffix, type, width)                                                                 \
    static inline int rank_##suffix(type d, int bits) {                                                      \
        UNO_MEET(RANK, suffix, type, d, bits);                                                               \
        int size = pe->group.size, mine = pe->group.rank, rank = 0;                                          \
        type own = get_##suffix(data[mine]);                                                                 \
        for (int i = 0; i < size; i++) {                                                                     \
            type other = get_##suffix(data[i]);                                                              \
            rank += i < mine ? !less_##suffix(own, other) : less_##suffix(other, own);                       \
        }                                                                                                    \
        uno_leave(pe);                                                                                       \
        return rank;                                                                                         \
    }                                                                                                        \
    int p_rank##suffix(type d) {                                                                             \
        return rank_##suffix(d, width);                                                                      \
    }
PAPERS_ALL(SCAN_ANY_TYPE)

#define SCAN_INTEGER(suffix, type, width)                                                                    \
    SCAN(And, AND, and, suffix, type, width)                                                                 \
    SCAN(Or, OR, or, suffix, type, width)
PAPERS_INTEGER(SCAN_INTEGER)

#define SCAN_BITS(Op, suffix, type, width)                                                                   \
    type p_scan##Op##Bits##suffix(type d, int bits) {                                                        \
        uno_check_bits(bits, width, "p_scan" #Op "Bits" #suffix);                                            \
        return scan##Op##_##suffix(d, bits);                                                                 \
    }

#define SCAN_BITS_ALL(suffix, type, width)                                                                   \
    SCAN_BITS(Add, suffix, type, width)                                                                      \
    SCAN_BITS(Mul, suffix, type, width)                                                                      \
    SCAN_BITS(Min, suffix, type, width)                                                                      \
    SCAN_BITS(Max, suffix, type, width)                                                                      \
    SCAN_BITS(And, suffix, type, width)                                                                      \
    SCAN_BITS(Or, suffix, type, width)                                                                       \
    int p_rankBits##suffix(type d, int bits) {                                                               \
        uno_check_bits(bits, width, "p_rankBits" #suffix);                                                   \
        return rank_##suffix(d, bits);                                                                       \
    }
PAPERS_UNSIGNED(SCAN_BITS_ALL)
