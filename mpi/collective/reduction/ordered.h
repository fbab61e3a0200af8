/* Combination by a function that takes two vectors of elements as they lie in memory: ranks are combined one
 * after the other, in rank order. */

#ifndef UNO_ORDERED_H
#define UNO_ORDERED_H

#include "collective/data.h"

struct uno_ordered {
    const struct uno_layout *layout;
    ptrdiff_t true_bound; /* the start of an element's data */
    /* Combine: inout = in (op) inout, for `count` elements, at most INT_MAX. */
    void (*apply)(const void *context, const void *in, void *inout, size_t count);
    const void *context;
};

/* Combine packed elements of n ranks, at least 2, as struct uno_reduction's `combine`. */
void uno_ordered_combine(const struct uno_ordered *o, const void *const *data, int n, size_t count,
                         void *out);

/* Combine: inout = in (op) inout, for any number of elements. */
void uno_ordered_apply(const struct uno_ordered *o, const void *in, void *inout, size_t count);

#endif
