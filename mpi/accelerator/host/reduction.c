#include "accelerator/host/reduction.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "accelerator/settings.h"
#include "collective/base.h"

enum uno_operator uno_operator_of(MPI_Op op) {
#define OP(name)                                                                                             \
    if (op == MPI_##name)                                                                                    \
        return UNO_##name;
    /* the most frequent ones first */
    OP(SUM)
    OP(MAX)
    OP(MIN)
    OP(LAND)
    OP(LOR)
    OP(PROD)
    OP(BOR)
    OP(BAND)
    OP(MAXLOC)
    OP(MINLOC)
    OP(BXOR)
    OP(LXOR)
#undef OP
    return UNO_OPERATORS;
}

/* Room for `count` elements as they lie in memory. To be freed: *memory. */
static void *make_room(const struct uno_datatype *t, size_t count, void **memory) {
    ptrdiff_t reach = (ptrdiff_t)(count - 1) * t->layout.extent;
    ptrdiff_t low = reach < 0 ? reach : 0, high = reach < 0 ? 0 : reach;
    *memory = uno_base_allocate((size_t)(high - low + t->layout.true_extent) + 1, 1);
    return (char *)*memory - t->true_bound - low;
}

/* The operation is called for at most so many elements at a time. */
static void reduce_local(const struct uno_host_reduction *r, const void *in, void *inout, size_t count) {
    for (size_t done = 0; done < count;) {
        size_t n = uno_least(count - done, INT_MAX);
        ptrdiff_t at = (ptrdiff_t)done * r->t->layout.extent;
        HOST(Reduce_local)((const char *)in + at, (char *)inout + at, (int)n, r->t->own, r->op);
        done += n;
    }
}

static void unpack(const struct uno_layout *layout, const void *bytes, size_t count, void *out) {
    if (layout->plain)
        memcpy(out, bytes, count * layout->size);
    else
        layout->unpack(layout, bytes, count, out);
}

/* next = left combined with the next rank's, which it then stands for. */
static void combine(const void *context, const void *const *data, int n, size_t count, void *out) {
    const struct uno_host_reduction *r = context;
    const struct uno_layout *layout = &r->t->layout;
    void *memory[2];
    void *left = make_room(r->t, count, &memory[0]), *next = make_room(r->t, count, &memory[1]);
    unpack(layout, data[0], count, left);
    for (int k = 1; k < n; k++) {
        unpack(layout, data[k], count, next);
        reduce_local(r, left, next, count);
        void *other = left;
        left = next;
        next = other;
    }
    if (layout->plain)
        memcpy(out, left, count * layout->size);
    else
        layout->pack(layout, left, count, out);
    free(memory[0]);
    free(memory[1]);
}

static void fill_in(struct uno_host_reduction *r, const struct uno_datatype *t, MPI_Op op, uno_kernel kernel,
                    size_t bytes) {
    r->t = t;
    r->op = op;
    r->how.kernel = kernel;
    r->how.combine = combine;
    r->how.context = r;
    r->how.layout = &t->layout;
    r->how.bytes = bytes;
}

void uno_reduction_of_host(struct uno_host_reduction *r, const struct uno_datatype *t, MPI_Op op) {
    fill_in(r, t, op, NULL, t->layout.size);
    r->how.any_order = false;
}

bool uno_reduction_of(struct uno_host_reduction *r, const struct uno_datatype *t, MPI_Op op) {
    enum uno_operator how = uno_operator_of(op);
    if (UNO_LIKELY(how < UNO_OPERATORS)) {
        fill_in(r, t, op, t->kernels ? t->kernels[how] : NULL, (size_t)t->layout.extent);
        return r->how.kernel;
    }
    uno_reduction_of_host(r, t, op);
    return op != MPI_OP_NULL && op != MPI_REPLACE && op != MPI_NO_OP;
}

bool uno_reduction_any_order(const struct uno_host_reduction *r) {
    return uno_settings.fast_math || uno_kernels_are_exact(r->t->kernels);
}
