/* The reduction that a call asks for, and its method: a kernel, or the host's MPI_Reduce_local. */

#ifndef UNO_HOST_REDUCTION_H
#define UNO_HOST_REDUCTION_H

#include "accelerator/host/datatype.h"
#include "collective/reduction/reduction.h"

struct uno_host_reduction {
    struct uno_reduction how;
    const struct uno_datatype *t;
    MPI_Op op;
};

/* Return the operator; UNO_OPERATORS for an operation that is not predefined. */
enum uno_operator uno_operator_of(MPI_Op op);

/* Fill in the reduction. False: the call is left to the host, which may find it invalid. */
bool uno_reduction_of(struct uno_host_reduction *r, const struct uno_datatype *t, MPI_Op op);

/* Fill in a reduction of packed elements by the host alone. */
void uno_reduction_of_host(struct uno_host_reduction *r, const struct uno_datatype *t, MPI_Op op);

/* Return the call's operation. */
static inline MPI_Op uno_reduction_op(const struct uno_reduction *how) {
    return ((const struct uno_host_reduction *)how->context)->op;
}

/* Return true if the result is the same in any order of combination, or the user accepts any order. */
bool uno_reduction_any_order(const struct uno_host_reduction *r);

#endif
