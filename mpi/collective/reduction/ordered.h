/* Combining by a function that takes two vectors of elements as they lie in memory: one pair of ranks after
 * the other, in the order of ranks. */

#ifndef UNO_ORDERED_H
#define UNO_ORDERED_H

#include "collective/data.h"

struct uno_ordered {
    const struct uno_layout *layout;
    ptrdiff_t true_bound; /* where an element's data start */
    /* inout = in combined with inout, of `count` elements, at most INT_MAX. */
    void (*apply)(const void *context, const void *in, void *inout, size_t count);
    const void *context;
};

/* Of packed elements of n ranks, at least 2, as struct uno_reduction's `combine`. */
void uno_ordered_combine(const struct uno_ordered *o, const void *const *data, int n, size_t count,
                         void *out);

/* inout = in combined with inout, any number of elements. */
void uno_ordered_apply(const struct uno_ordered *o, const void *in, void *inout, size_t count);

#endif
