/* Requests: operations that run beside the program, and their completion. */

#ifndef UNO_MPI_REQUESTS_H
#define UNO_MPI_REQUESTS_H

#include "library/communicator/errhandler.h"
#include "library/message/messages.h"

/* A send is done when it has begun (messages.c). One that is offered (send.h) is done when its data have been
 * copied; one that asks for an answer, when its receive has begun. */
enum uno_request_way { UNO_SENDS, UNO_OFFERS, UNO_ASKS, UNO_RECEIVES, UNO_OTHER };

struct uno_mpi_request;

/* The functions of a request of UNO_OTHER that differ from a message's; it is done when its receive.done is
 * set. */
struct uno_request_kind {
    /* the status and error of one that is done */
    int (*tell)(struct uno_mpi_request *request, MPI_Status *status);
    int (*cancel)(struct uno_mpi_request *request);
    int (*end)(struct uno_mpi_request *request);    /* called when it is done and is freed */
    void (*start)(struct uno_mpi_request *request); /* for persistent ones; or NULL */
    /* wait until it is done; NULL: making progress with messages is enough */
    void (*wait)(struct uno_mpi_request *request);
    void (*drop)(void *kept);
    bool stays; /* it may not be freed while it is under way */
};

/* An operation that runs beside the program. */
struct uno_mpi_request {
    struct uno_object object;
    unsigned char what; /* enum uno_request_way */
    bool persistent, active, cancelled;
    bool freed; /* MPI_Request_free was called while it was under way */
    bool once;  /* a receive as of MPI_Irecv, whose data need not be unpacked; never another request */
    /* for UNO_OTHER, and for a receive whose end says more, with its data; NULL in an unused request, as
     * `memory` is */
    const struct uno_request_kind *kind;
    void *kept;
    /* the engine's record, or the answer to a send; `done` counts for any request */
    struct uno_receive receive;
    struct uno_mpi_comm *comm; /* held, like the type, while it is active or persistent */
    struct uno_mpi_type *type;
    void *buffer;
    MPI_Count count;
    int peer, tag; /* as the program has passed them */
    struct uno_called called;
    void *memory; /* packed data that are not delivered yet, for a type that is not plain */
};

/* Make a request for such a transfer, which is not started yet. */
struct uno_mpi_request *uno_request_make(enum uno_request_way what, void *buffer, MPI_Count count,
                                         struct uno_mpi_type *type, int peer, int tag,
                                         struct uno_mpi_comm *comm);

/* Start it. */
void uno_request_start(struct uno_mpi_request *request);

/* Return true if the request is done, or not active. */
static inline bool uno_request_is_done(const struct uno_mpi_request *r) {
    return !r->active || r->receive.done;
}

/* Make a request of UNO_OTHER that is under way. */
struct uno_mpi_request *uno_request_begin(const struct uno_request_kind *kind, void *kept);

/* Make a request that is done from the beginning. */
int uno_request_nothing(MPI_Request *request);

/* Deliver the data of a request that is done to the program's buffer, if they are not there yet. Writes its
 * status (request NULL: the empty one), and returns its error. */
int uno_request_tell(struct uno_mpi_request *request, MPI_Status *status);

/* Free a request that is done, or not active. Returns the error of that. */
int uno_request_end(struct uno_mpi_request *request);

/* Return the request of a handle; NULL for MPI_REQUEST_NULL. */
static inline struct uno_mpi_request *uno_find_request(MPI_Request request) {
    return uno_object_of((uintptr_t)request, UNO_REQUEST);
}

/* Complete a request that is done: the program gets the data and the status, and the handle is cleared unless
 * the request is persistent. Returns the transfer's error. The first function is for requests of any kind,
 * the second, inline, for the most frequent ones. */
int uno_request_complete_any(MPI_Request *handle, MPI_Status *status);
static inline int uno_request_complete(MPI_Request *handle, MPI_Status *status) {
    struct uno_mpi_request *r = uno_find_request(*handle);
    if (UNO_UNLIKELY(!r))
        return uno_request_complete_any(handle, status);
    if (r == uno_rank->sent) {
        uno_status_empty(status);
        uno_object_drop(r);
        *handle = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    if (!r->once)
        return uno_request_complete_any(handle, status);
    int error = uno_received(&r->receive);
    uno_status_of(status, r->comm, &r->receive);
    if (UNO_UNLIKELY(error != MPI_SUCCESS))
        uno_blame(r->comm);
    uno_object_drop(r->type);
    uno_object_drop(r->comm);
    uno_object_put_away(&uno_rank->store, &r->object);
    *handle = MPI_REQUEST_NULL;
    return error;
}

#endif
