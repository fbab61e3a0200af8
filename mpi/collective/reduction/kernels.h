/* Kernels that combine elements of every kind by every operator that fits it. */

#ifndef UNO_KERNELS_H
#define UNO_KERNELS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The operators that combine two elements. */
enum uno_operator {
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
    UNO_OPERATORS, /* none of these */
};

/* Combine `count` elements of each of n members, at least 2, in rank order. out: `count` elements, which are
 * those of data[0] or data[1], or overlap none of the inputs. */
typedef void (*uno_kernel)(const void *const *data, int n, size_t count, void *out);

enum uno_class {
    UNO_SIGNED,
    UNO_UNSIGNED,
    UNO_REAL,
    UNO_LONG_REAL,
    UNO_COMPLEX,
    UNO_BOOL,
    UNO_LOGICAL, /* Fortran's: 0 is false */
    UNO_BYTE,
    /* pairs of a value and its index */
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

/* Return the kernels for elements of that class and extent, by enum uno_operator; an entry is NULL where MPI
 * allows none. NULL: there are no such elements. */
const uno_kernel *uno_kernels_of(enum uno_class class, size_t extent);

/* Return the kernels that run on every processor, and those for AVX2 (where the build has them:
 * UNO_KERNELS_WIDE). */
const uno_kernel *uno_kernels_plain(enum uno_class class, size_t extent);
const uno_kernel *uno_kernels_wide(enum uno_class class, size_t extent);

/* Return true if the result does not depend on the order of combination. */
static inline bool uno_kernels_are_exact(enum uno_class class) {
    return class == UNO_SIGNED || class == UNO_UNSIGNED || class == UNO_BOOL || class == UNO_LOGICAL ||
           class == UNO_BYTE;
}

#endif
