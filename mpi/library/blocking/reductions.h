/* Operations that combine elements. */

#ifndef UNO_MPI_REDUCTIONS_H
#define UNO_MPI_REDUCTIONS_H

#include "collective/reduction/ordered.h"
#include "collective/reduction/reduction.h"
#include "library/object/address.h"
#include "library/object/op.h"
#include "library/type/address.h"
#include "library/type/predefined.h"

/* The combination of elements in one call of a collective. */
struct uno_mpi_reduction {
    struct uno_reduction how;
    /* where the program's function does it; otherwise not set: */
    struct uno_ordered ordered;
    const struct uno_mpi_op *op;
    const struct uno_mpi_type *type;
};

/* The rest of uno_reduction_of, where no kernel combines them. */
int uno_reduction_by_function(struct uno_mpi_reduction *r, const struct uno_mpi_type *type,
                              const struct uno_mpi_op *op);

/* Fill it in. MPI_ERR_OP: the operation is not for elements of that type. */
static inline int uno_reduction_of(struct uno_mpi_reduction *r, const struct uno_mpi_type *type,
                                   const struct uno_mpi_op *op) {
    const uno_kernel *kernels = op->function ? NULL : uno_type_kernels(type);
    uno_kernel kernel = kernels && op->operator<UNO_OPERATORS ? kernels[op->operator] : NULL;
    r->how = (struct uno_reduction){.kernel = kernel,
                                    .layout = &type->layout,
                                    .bytes = kernel ? (size_t)type->layout.extent : type->layout.size};
    return UNO_LIKELY(kernel != NULL) ? MPI_SUCCESS : uno_reduction_by_function(r, type, op);
}

/* Return MPI_ERR_BUFFER for a call one of whose addresses is none, unless there are no elements. */
int uno_operands_check(const void *in, MPI_Count ins, const void *out, MPI_Count outs,
                       const struct uno_mpi_type *type) __attribute__((cold));

/* Prepare a reduction for a call with these arguments. *in is MPI_IN_PLACE or the address of this rank's
 * elements, and afterwards always the address; out: the place of the result; ins, outs: their numbers of
 * elements. */
static inline int uno_reduction_start(struct uno_mpi_reduction *r, const void **in, MPI_Count ins, void *out,
                                      MPI_Count outs, const struct uno_mpi_type *type,
                                      const struct uno_mpi_op *op) {
    if (*in == MPI_IN_PLACE)
        *in = out;
    else if (UNO_UNLIKELY(*in == out) && uno_places_check(*in, out, ins > 0 && outs > 0))
        return MPI_ERR_BUFFER;
    if (UNO_UNLIKELY(!uno_is_address(*in) || !uno_is_address(out))) {
        int error = uno_operands_check(*in, ins, out, outs, type);
        if (error)
            return error;
    }
    return uno_reduction_of(r, type, op);
}

#endif
