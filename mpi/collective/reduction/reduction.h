/* Combining what the members put, in rank order. */

#ifndef UNO_REDUCE_H
#define UNO_REDUCE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "accelerator/host/host.h"

/* Of the predefined operations, those that combine. */
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
    UNO_MINLOC,
    UNO_MAXLOC,
    UNO_REDUCTIONS, /* not one of those that are predefined */
};

/* Combine `count` elements of each of n members, at least 2, in rank order; out: `count` elements, none of
 * which overlaps the data. */
typedef void (*uno_reduce_function)(const void *const *data, int n, size_t count, void *out);

enum uno_class {
    UNO_SIGNED,
    UNO_UNSIGNED,
    UNO_REAL,
    UNO_LONG_REAL,
    UNO_COMPLEX,
    UNO_BOOL,
    UNO_LOGICAL, /* of Fortran: 0 is false */
    UNO_BYTE,
    /* pairs of a value and its place */
    UNO_FLOAT_INT,
    UNO_DOUBLE_INT,
    UNO_LONG_INT,
    UNO_INT_INT,
    UNO_SHORT_INT,
    UNO_LONG_DOUBLE_INT,
    UNO_FLOAT_FLOAT,
    UNO_DOUBLE_DOUBLE,
    UNO_CHAR = CHAR_MIN < 0 ? UNO_SIGNED : UNO_UNSIGNED,
};

/* The functions for elements of that class and extent, by enum uno_reduction; NULL where MPI allows none.
 * NULL: there are no such elements. */
const uno_reduce_function *uno_reduce_functions(enum uno_class class, size_t extent);

/* Whether what they give is the same in whatever order they combine. */
bool uno_reduce_is_exact(const uno_reduce_function *functions);

/* UNO_REDUCTIONS for an operation that is not predefined. */
enum uno_reduction uno_reduction_of(MPI_Op op);

struct uno_datatype;

/* How the elements of one call are combined. */
struct uno_combine {
    uno_reduce_function function; /* NULL: by the host's MPI_Reduce_local */
    const struct uno_datatype *t;
    MPI_Datatype type;
    MPI_Op op;
    size_t bytes; /* of one element as it travels: with a function as it lies in memory, else packed */
};

/* Fill it in. False: what the call asks for is left to the host, which may find it invalid. */
bool uno_combine_of(struct uno_combine *c, const struct uno_datatype *t, MPI_Datatype type, MPI_Op op);

/* Combine, as a uno_reduce_function, elements as they travel; n may be 1. */
void uno_combine(const struct uno_combine *c, const void *const *data, int n, size_t count, void *out);

#endif
