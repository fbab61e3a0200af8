/* What goes on beside the program, and its completion. */

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
    return !r->active || r->receive.done;
}

/* One of UNO_OTHER, which goes on. */
struct uno_mpi_request *uno_request_begin(const struct uno_request_kind *kind, void *kept);

/* A request that is done from the beginning. */
int uno_request_nothing(MPI_Request *request);

/* It is done: its data go to where the program wants them, if they are not there yet. Its status (request
 * NULL: of none), and its error. */
int uno_request_tell(struct uno_mpi_request *request, MPI_Status *status);

/* It is done: the program gets the data and the status, and loses the request, unless that is persistent.
 * Returns the transfer's error. */
int uno_request_complete(MPI_Request *handle, MPI_Status *status);

/* One that is done, or does not go on, goes. Returns the error of that. */
int uno_request_end(struct uno_mpi_request *request);

/* The request of a handle; NULL for MPI_REQUEST_NULL. */
static inline struct uno_mpi_request *uno_find_request(MPI_Request request) {
    return uno_object_of((uintptr_t)request, UNO_REQUEST);
}

#endif
