/* What all collectives of the library share. */

#ifndef UNO_MPI_COLLECTIVES_H
#define UNO_MPI_COLLECTIVES_H

#include "library/objects.h"

/* What mpi/collective has not done is an error, as it is too much for it; none of an empty operation is. */
static inline int uno_outcome(bool done, size_t bytes) {
    if (UNO_LIKELY(done || !bytes))
        return MPI_SUCCESS;
    return uno_error(
        MPI_ERR_UNSUPPORTED_OPERATION,
        "collectives are for at most 2 GiB of a rank, and elements of up to 64 KiB in reductions");
}

/* So many elements at an address, in a call that names it by `name`buf. MPI_ERR_*: they are none; a type that
 * is not one is NULL. */
int uno_data_of(struct uno_data *data, const char *name, const void *at, MPI_Count count,
                const struct uno_mpi_type *type);

/* From where data are to where they go, of types that may differ; one is NULL if they are there. */
int uno_move(const struct uno_data *in, const struct uno_data *out);

#endif
