/* Blocks to some ranks and from some, by messages: what neighbourhood collectives are, and those of
 * intercommunicators are made of. They go in a context of their own, apart from the program's messages. */

#ifndef UNO_MPI_PARCELS_H
#define UNO_MPI_PARCELS_H

#include "library/objects.h"

/* A block to or from a rank, of those that the communicator's messages go to. What has the same ends and way
 * is received in the order in which it is sent. */
struct uno_parcel {
    int rank; /* MPI_PROC_NULL: it goes nowhere */
    int way;
    struct uno_data data;
};

/* Send all of `out`, and receive all of `in`. Its call is MPI_ERR_TRUNCATE if one does not fit. signature:
 * what this rank waits in. */
int uno_parcels_exchange(struct uno_mpi_comm *comm, const struct uno_parcel *out, int outs,
                         const struct uno_parcel *in, int ins, unsigned signature);

#endif
