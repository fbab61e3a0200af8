/* The scans, and p_rank: everyone's value, the part up to this PE combined in PE order. */

#include "meet.h"

#define LOCAL_VALUE(name, combine, suffix, type)                                                             \
    static inline type local_##name##suffix(type d, int bits) {                                              \
        UNO_MEET(name, suffix, type, d, bits);                                                               \
        int rank = pe->group.rank;                                                                           \
        type r = get_##suffix(data[0]);                                                                      \
        for (int i = 1; i <= rank; i++)                                                                      \
            r = combine##_##suffix(r, get_##suffix(data[i]));                                                \
        uno_leave(pe);                                                                                       \
        return cut_##suffix(r, bits);                                                                        \
    }

#define LOCAL_NUMBER(name, combine, suffix, type)                                                            \
    static inline int local_##name##suffix(type d, int bits) {                                               \
        UNO_MEET(name, suffix, type, d, bits);                                                               \
        int size = pe->group.size, mine = pe->group.rank, rank = 0;                                          \
        type own = get_##suffix(data[mine]);                                                                 \
        for (int i = 0; i < size; i++) {                                                                     \
            type other = get_##suffix(data[i]);                                                              \
            rank += i < mine ? !less_##suffix(own, other) : less_##suffix(other, own);                       \
        }                                                                                                    \
        uno_leave(pe);                                                                                       \
        return rank;                                                                                         \
    }

#define RESULT_VALUE(type) type
#define RESULT_NUMBER(type) int

#define SCAN(name, shape, combine, suffix, type, width)                                                      \
    LOCAL_##shape(name, combine, suffix, type) RESULT_##shape(type) name##suffix(type d) {                   \
        return local_##name##suffix(d, width);                                                               \
    }

#define SCAN_ANY_TYPE(suffix, type, width) PAPERS_SCANS_ALL(SCAN, suffix, type, width)
#define SCAN_INTEGER(suffix, type, width) PAPERS_SCANS_INTEGER(SCAN, suffix, type, width)
PAPERS_ALL(SCAN_ANY_TYPE)
PAPERS_INTEGER(SCAN_INTEGER)

#define SCAN_BITS(name, shape, combine, suffix, type, width)                                                 \
    RESULT_##shape(type) name##Bits##suffix(type d, int bits) {                                              \
        uno_check_bits(bits, width, #name "Bits" #suffix);                                                   \
        return local_##name##suffix(d, bits);                                                                \
    }

#define SCAN_UNSIGNED(suffix, type, width)                                                                   \
    PAPERS_SCANS_ALL(SCAN_BITS, suffix, type, width)                                                         \
    PAPERS_SCANS_INTEGER(SCAN_BITS, suffix, type, width)
PAPERS_UNSIGNED(SCAN_UNSIGNED)
