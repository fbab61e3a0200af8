/* Operations that combine elements. */

#ifndef UNO_MPI_REDUCTIONS_H
#define UNO_MPI_REDUCTIONS_H

#include "collective/reduction/ordered.h"
#include "collective/reduction/reduction.h"
#include "library/object/objects.h"

/* How the collectives combine elements of one call. */
struct uno_mpi_reduction {
    struct uno_reduction how;
    /* where the program's function does it; otherwise not set: */
    struct uno_ordered ordered;
    const struct uno_mpi_op *op;
    const struct uno_mpi_type *type;
};

/* Fill it in. MPI_ERR_OP: the operation is not for elements of that type. */
int uno_reduction_of(struct uno_mpi_reduction *r, struct uno_mpi_type *type, struct uno_mpi_op *op);

/* The same for a call with these arguments. *in is MPI_IN_PLACE or where this rank's elements are, and then
 * always that; out: where the result goes. */
int uno_reduction_start(struct uno_mpi_reduction *r, const void **in, void *out, struct uno_mpi_type *type,
                        struct uno_mpi_op *op);

#endif
