/* What goes on beside the program, and its completion. */

#ifndef UNO_MPI_REQUESTS_H
#define UNO_MPI_REQUESTS_H

#include "library/communicator/errhandler.h"
#include "library/message/messages.h"

/* A send is done when it has begun (messages.c), but one that may be offered (send.h) when its data have
 * been copied; one that asks, when its receive has begun. */
enum uno_request_way { UNO_SENDS, UNO_OFFERS, UNO_ASKS, UNO_RECEIVES, UNO_OTHER };

struct uno_mpi_request;

/* The ways of a request of UNO_OTHER that differ from a message's; it is done when its receive.done is set.
 */
struct uno_request_kind {
    int (*tell)(struct uno_mpi_request *request, MPI_Status *status); /* of one that is done; its error */
    int (*cancel)(struct uno_mpi_request *request);
    int (*end)(struct uno_mpi_request *request);    /* it is done, and goes */
    void (*start)(struct uno_mpi_request *request); /* of a persistent one; or NULL */
    void (*wait)(
        struct uno_mpi_request *request); /* until it is done; NULL: going on with messages is enough */
    void (*drop)(void *kept);
    bool stays; /* it may not be freed while it goes on */
};

/* Something that goes on beside the program. */
struct uno_mpi_request {
    struct uno_object object;
    enum uno_request_way what;
    bool persistent, active, cancelled;
    bool freed; /* MPI_Request_free has been called while it went on */
    bool once;  /* a receive as MPI_Irecv begins one, whose data need not be unpacked, and nothing else */
    const struct uno_request_kind *kind; /* of UNO_OTHER */
    void *kept;                          /* by that */
    struct uno_receive receive;          /* of the engine, or the answer to a send; done: of any request */
    struct uno_mpi_comm *comm;           /* held, as the type is, while it is active or persistent */
    struct uno_mpi_type *type;
    void *buffer;
    MPI_Count count;
    int peer, tag;                 /* as the program says them */
    struct uno_schedule *schedule; /* or NULL */
    void *memory; /* packed data that are not delivered, where they do not lie in memory as they are packed */
};

/* A request for such a transfer, which does not go on yet. */
struct uno_mpi_request *uno_request_make(enum uno_request_way what, void *buffer, MPI_Count count,
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

/* One that is done, or does not go on, goes. Returns the error of that. */
int uno_request_end(struct uno_mpi_request *request);

/* The request of a handle; NULL for MPI_REQUEST_NULL. */
static inline struct uno_mpi_request *uno_find_request(MPI_Request request) {
    return uno_object_of((uintptr_t)request, UNO_REQUEST);
}

/* It is done: the program gets the data and the status, and loses the request, unless that is persistent.
 * Returns the transfer's error. The second is for requests of any kind, and the first in line for those of
 * which there are most. */
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
