/* Sends and receives beside which the program goes on, and their completion. */

#ifndef UNO_MPI_REQUESTS_H
#define UNO_MPI_REQUESTS_H

#include "library/objects.h"

/* A request for such a transfer, which does not go on yet. */
struct uno_mpi_request *uno_request_make(enum uno_transfer what, void *buffer, MPI_Count count,
                                         struct uno_mpi_type *type, int peer, int tag,
                                         struct uno_mpi_comm *comm);

/* Let it go on. */
void uno_request_start(struct uno_mpi_request *request);

/* Whether it is done, or does not go on. */
static inline bool uno_request_is_done(const struct uno_mpi_request *r) {
    return !r->active || r->what == UNO_SENDS || r->peer == MPI_PROC_NULL || r->cancelled || r->receive.done;
}

/* The status of one that is done; NULL: of none. */
void uno_request_tell(const struct uno_mpi_request *request, MPI_Status *status);

/* It is done: its data go to where the program wants them, if they are not there yet. */
void uno_request_deliver(struct uno_mpi_request *request);

/* It is done: the program gets the data and the status, and loses the request, unless that is persistent.
 * Returns the transfer's error. */
int uno_request_complete(MPI_Request *handle, MPI_Status *status);

/* The request of a handle; NULL for MPI_REQUEST_NULL. */
struct uno_mpi_request *uno_find_request(MPI_Request request);

#endif
