/* Combining what the members put, in rank order. */

#ifndef UNO_REDUCE_H
#define UNO_REDUCE_H

#include <stddef.h>

#include "host.h"

enum uno_reduction {
    UNO_SUM,
    UNO_PROD,
    UNO_MIN,
    UNO_MAX,
    UNO_LAND,
    UNO_LOR,
    UNO_LXOR,
    UNO_BAND,
    UNO_BOR,
    UNO_BXOR,
    UNO_REDUCTIONS,
    UNO_NO_REDUCTION = UNO_REDUCTIONS
};

/* Combine `count` elements of each of n members; out: `count` elements, none of which overlaps the data. */
typedef void (*uno_reduce_function)(const void *const *data, int n, size_t count, void *out);

enum uno_class { UNO_SIGNED, UNO_UNSIGNED, UNO_REAL, UNO_LONG_REAL, UNO_COMPLEX, UNO_BOOL, UNO_BYTE };

/* The functions for elements of that class and size, by enum uno_reduction; NULL where MPI allows none.
 * NULL: there are no such elements. */
const uno_reduce_function *uno_reduce_functions(enum uno_class class, size_t size);

/* UNO_NO_REDUCTION for an operation that is not one of those. */
enum uno_reduction uno_reduction_of(MPI_Op op);

#endif
