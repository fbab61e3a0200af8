/* Combining what the members put, in rank order. */

#ifndef UNO_REDUCTION_H
#define UNO_REDUCTION_H

#include "collective/data.h"
#include "collective/reduction/kernels.h"

/* The combination of the elements of one call. */
struct uno_reduction {
    uno_kernel kernel; /* NULL: by `combine` */
    /* Combine packed elements of n ranks, at least 2, in rank order. context: the host's. */
    void (*combine)(const void *context, const void *const *data, int n, size_t count, void *out);
    const void *context;
    const struct uno_layout *layout;
    size_t bytes;   /* of one element as it travels: with a kernel as it lies in memory, else packed */
    bool any_order; /* looked at on several nodes alone: the result is the same in whatever order */
};

/* Combine elements as they travel, as a kernel does; n may be 1. */
static inline void uno_combine(const struct uno_reduction *how, const void *const *data, int n, size_t count,
                               void *out) {
    if (how->kernel && (n > 1 || how->bytes != how->layout->size))
        how->kernel(data, n, count, out);
    else if (n == 1)
        memcpy(out, data[0], count * how->bytes);
    else
        how->combine(how->context, data, n, count, out);
}

#endif
