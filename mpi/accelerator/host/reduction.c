#include "accelerator/host/reduction.h"

#include "accelerator/settings.h"
#include "collective/reduction/ordered.h"

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

static void reduce_local(const void *context, const void *in, void *inout, size_t count) {
    const struct uno_host_reduction *r = context;
    HOST(Reduce_local)(in, inout, (int)count, r->t->own, r->op);
}

static void combine(const void *context, const void *const *data, int n, size_t count, void *out) {
    const struct uno_host_reduction *r = context;
    const struct uno_ordered ordered = {&r->t->layout, r->t->true_bound, reduce_local, r};
    uno_ordered_combine(&ordered, data, n, count, out);
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
    return uno_settings.fast_math || uno_kernels_are_exact(r->t->class);
}
