/* What a call asks to be combined, and how: by a kernel, or by the host's MPI_Reduce_local. */

#ifndef UNO_HOST_REDUCTION_H
#define UNO_HOST_REDUCTION_H

#include "accelerator/host/datatype.h"
#include "collective/reduction/reduction.h"

struct uno_host_reduction {
    struct uno_reduction how;
    const struct uno_datatype *t;
    MPI_Op op;
};

/* UNO_OPERATORS for an operation that is not predefined. */
enum uno_operator uno_operator_of(MPI_Op op);

/* Fill it in. False: what the call asks for is left to the host, which may find it invalid. */
bool uno_reduction_of(struct uno_host_reduction *r, const struct uno_datatype *t, MPI_Op op);

/* By the host alone, of packed elements. */
void uno_reduction_of_host(struct uno_host_reduction *r, const struct uno_datatype *t, MPI_Op op);

/* The operation again. */
static inline MPI_Op uno_reduction_op(const struct uno_reduction *how) {
    return ((const struct uno_host_reduction *)how->context)->op;
}

/* Whether the result is the same in whatever order elements are combined, or nobody minds. */
bool uno_reduction_any_order(const struct uno_host_reduction *r);

#endif
