/* Generalized requests: the program does the operation itself, and says when it is done. */

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/message/messages.h"
#include "library/message/requests.h"
#include "library/rank/face.h"

/* The program's functions, and their argument. */
struct functions {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *state;
};

static int tell(struct uno_mpi_request *r, MPI_Status *status) {
    const struct functions *f = r->kept;
    MPI_Status unseen; /* the program's function fills one in */
    status = status ? status : &unseen;
    uno_status_empty(status);
    return uno_face.error_from(uno_face.query(f->query, f->state, status));
}

static int cancel(struct uno_mpi_request *r) {
    const struct functions *f = r->kept;
    return uno_face.error_from(f->cancel(f->state, uno_request_is_done(r)));
}

static int end(struct uno_mpi_request *r) {
    const struct functions *f = r->kept;
    return uno_face.error_from(f->free(f->state));
}

static const struct uno_request_kind generalized = {.tell = tell, .cancel = cancel, .end = end, .drop = free};

int uno_mpi_grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                           MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request) {
    struct functions *f = uno_base_allocate(1, sizeof *f);
    *f = (struct functions){query_fn, free_fn, cancel_fn, extra_state};
    *request = (MPI_Request)uno_request_begin(&generalized, f)->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_grequest_complete(MPI_Request request) {
    struct uno_mpi_request *r = uno_find_request(request);
    if (!r || r->kind != &generalized || r->receive.done)
        return uno_error(MPI_ERR_REQUEST, "the request is %s",
                         !r                        ? "none"
                         : r->kind != &generalized ? "not a generalized one"
                                                   : "complete already");
    r->receive.done = true;
    uno_rank->channel->moves++; /* for a thread that waits for it */
    return r->freed ? uno_request_end(r) : MPI_SUCCESS;
}
