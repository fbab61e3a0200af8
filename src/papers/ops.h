/* The signatures of the aggregate operations: the detail is a type, 4 bits, and the number of bits that count
 * of a value less 1, 6 bits. */

#ifndef UNO_PAPERS_OPS_H
#define UNO_PAPERS_OPS_H

#include "engine/signature.h"
#include "papers.h"

/* A row of papers/functions.def is an operation: UNO_p_match is that of p_match32, p_matchWide32, ... */
#define UNO_AGGREGATE_TABLE(X)                                                                               \
    PAPERS_UNTYPED(X, )                                                                                      \
    PAPERS_FUNCTIONS_ALL(X, )                                                                                \
    PAPERS_FUNCTIONS_INTEGER(X, )

enum uno_aggregate {
    UNO_AGGREGATE_NONE = UNO_OPS_AGGREGATE - 1,
#define X(name, shape, combine, unused) UNO_##name,
    UNO_AGGREGATE_TABLE(X)
#undef X
        UNO_AGGREGATE_END
};

/* Type codes; UNO_TYPE_NONE for an operation without a type. */
enum uno_type {
    UNO_TYPE_NONE,
#define X(suffix, type, bits) UNO_TYPE_##suffix,
    PAPERS_ALL(X)
#undef X
        UNO_TYPE_COUNT
};

_Static_assert((int)UNO_AGGREGATE_END <= UNO_OPS_FILE, "the family has a range of numbers");
_Static_assert(UNO_TYPE_COUNT <= 16, "a type has 4 bits");

/* A plain operation is one on all bits of its type. */
#define UNO_TYPED(op, type, bits) UNO_SIGNATURE(op, (unsigned)(type) | (unsigned)((bits)-1) << 4)
#define UNO_UNTYPED(op) UNO_TYPED(op, UNO_TYPE_NONE, 1)

#endif
