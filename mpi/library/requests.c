#include "library/requests.h"

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/messages.h"
#include "library/predefined.h"

struct uno_mpi_request *uno_find_request(MPI_Request request) {
    return uno_object_of((uintptr_t)request, UNO_REQUEST);
}

static void release(void *object) {
    struct uno_mpi_request *r = object;
    if (r->active && r->what == UNO_RECEIVES && !uno_request_is_done(r))
        uno_channel_cancel(uno_rank->channel, &r->receive);
    free(r->memory);
    uno_object_drop(r->type);
    uno_object_drop(r->comm);
}

struct uno_mpi_request *uno_request_make(enum uno_transfer what, void *buffer, MPI_Count count,
                                         struct uno_mpi_type *type, int peer, int tag,
                                         struct uno_mpi_comm *comm) {
    struct uno_mpi_request *r = uno_object_make(UNO_REQUEST, 0, release);
    r->what = what;
    r->buffer = buffer;
    r->count = count;
    r->type = uno_object_hold(type);
    r->peer = peer;
    r->tag = tag;
    r->comm = uno_object_hold(comm);
    return r;
}

void uno_request_start(struct uno_mpi_request *r) {
    r->active = true;
    r->cancelled = false;
    if (r->peer == MPI_PROC_NULL)
        return;
    if (r->what == UNO_SENDS) {
        uno_mpi_send(r->buffer, r->count, r->type, r->peer, r->tag, r->comm);
        return;
    }
    size_t room = (size_t)r->count * r->type->layout.size;
    if (!r->type->layout.plain && !r->memory)
        r->memory = uno_base_allocate(room + 1, 1);
    r->receive = (struct uno_receive){.envelope = uno_asked(r->comm, r->peer, r->tag),
                                      .data = r->memory ? r->memory : r->buffer,
                                      .room = room};
    uno_channel_post(uno_rank->channel, &r->receive);
}

void uno_request_tell(const struct uno_mpi_request *r, MPI_Status *status) {
    if (!r || !r->active || (r->what == UNO_SENDS && r->peer != MPI_PROC_NULL))
        uno_status_empty(status);
    else if (r->cancelled)
        uno_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, true);
    else if (r->peer == MPI_PROC_NULL)
        uno_status_none(status);
    else
        uno_status_of(status, r->comm, &r->receive);
}

void uno_request_deliver(struct uno_mpi_request *r) {
    if (UNO_LIKELY(!r->memory) || !r->active || r->cancelled)
        return;
    uno_type_unpack_part(r->type, r->memory, uno_least(r->receive.bytes, r->receive.room), r->buffer);
    free(r->memory);
    r->memory = NULL;
}

/* The program gets what has come. Returns the transfer's error. */
static int take(struct uno_mpi_request *r, MPI_Status *status) {
    uno_request_tell(r, status);
    if (!r->active || r->what == UNO_SENDS || r->cancelled || r->peer == MPI_PROC_NULL)
        return MPI_SUCCESS;
    uno_request_deliver(r);
    return uno_received(&r->receive);
}

int uno_request_complete(MPI_Request *handle, MPI_Status *status) {
    struct uno_mpi_request *r = uno_find_request(*handle);
    if (!r) {
        uno_status_empty(status);
        return MPI_SUCCESS;
    }
    int error = take(r, status);
    r->active = false;
    if (!r->persistent) {
        uno_object_drop(r);
        *handle = MPI_REQUEST_NULL;
    }
    return error;
}

/* ---- beginning --------------------------------------------------------------------------------------- */

static int begin(enum uno_transfer what, const void *buf, MPI_Count count, struct uno_mpi_type *type,
                 int peer, int tag, struct uno_mpi_comm *comm, MPI_Request *request) {
    struct uno_mpi_request *r = uno_request_make(what, (void *)buf, count, type, peer, tag, comm);
    uno_request_start(r);
    *request = (MPI_Request)r->object.handle;
    return MPI_SUCCESS;
}

static int keep(enum uno_transfer what, const void *buf, MPI_Count count, struct uno_mpi_type *type, int peer,
                int tag, struct uno_mpi_comm *comm, MPI_Request *request) {
    struct uno_mpi_request *r = uno_request_make(what, (void *)buf, count, type, peer, tag, comm);
    r->persistent = true;
    *request = (MPI_Request)r->object.handle;
    return MPI_SUCCESS;
}

#define SENDS(name, way)                                                                                     \
    int uno_mpi_##name(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,   \
                       struct uno_mpi_comm *comm, MPI_Request *request) {                                    \
        return way(UNO_SENDS, buf, count, datatype, dest, tag, comm, request);                               \
    }
SENDS(isend, begin)
SENDS(ibsend, begin)
SENDS(irsend, begin)
SENDS(send_init, keep)
SENDS(bsend_init, keep)
SENDS(rsend_init, keep)
#undef SENDS

int uno_mpi_irecv(void *buf, MPI_Count count, struct uno_mpi_type *datatype, int source, int tag,
                  struct uno_mpi_comm *comm, MPI_Request *request) {
    return begin(UNO_RECEIVES, buf, count, datatype, source, tag, comm, request);
}

int uno_mpi_recv_init(void *buf, MPI_Count count, struct uno_mpi_type *datatype, int source, int tag,
                      struct uno_mpi_comm *comm, MPI_Request *request) {
    return keep(UNO_RECEIVES, buf, count, datatype, source, tag, comm, request);
}

static int start(MPI_Request request) {
    struct uno_mpi_request *r = uno_find_request(request);
    if (!r || !r->persistent || r->active)
        return uno_error(MPI_ERR_REQUEST, "the request is %s",
                         !r          ? "none"
                         : r->active ? "active already"
                                     : "not persistent");
    uno_request_start(r);
    return MPI_SUCCESS;
}

int uno_mpi_start(MPI_Request *request) {
    return start(*request);
}

int uno_mpi_startall(int count, MPI_Request array_of_requests[]) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < count && !error; i++)
        error = start(array_of_requests[i]);
    return error;
}

/* ---- the end before the end ---------------------------------------------------------------------------- */

int uno_mpi_request_free(MPI_Request *request) {
    struct uno_mpi_request *r = uno_find_request(*request);
    if (!r)
        return uno_error(MPI_ERR_REQUEST, "request is none");
    /* one that goes on is freed when the rank ends: where its data go stays the program's business */
    if (uno_request_is_done(r))
        uno_object_drop(r);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int uno_mpi_cancel(MPI_Request *request) {
    struct uno_mpi_request *r = uno_find_request(*request);
    if (!r || !r->active)
        return uno_error(MPI_ERR_REQUEST, "request is %s", r ? "not active" : "none");
    if (!uno_request_is_done(r))
        r->cancelled = uno_channel_cancel(uno_rank->channel, &r->receive);
    return MPI_SUCCESS;
}

int uno_mpi_test_cancelled(const MPI_Status *status, int *flag) {
    *flag = status->MPI_internal[2];
    return MPI_SUCCESS;
}

int uno_mpi_status_set_cancelled(MPI_Status *status, int flag) {
    status->MPI_internal[2] = flag != 0;
    return MPI_SUCCESS;
}

#define STATUS(name, field)                                                                                  \
    int uno_mpi_status_get_##name(const MPI_Status *status, int *value) {                                    \
        *value = status->MPI_##field;                                                                        \
        return MPI_SUCCESS;                                                                                  \
    }                                                                                                        \
    int uno_mpi_status_set_##name(MPI_Status *status, int value) {                                           \
        status->MPI_##field = value;                                                                         \
        return MPI_SUCCESS;                                                                                  \
    }
STATUS(source, SOURCE)
STATUS(tag, TAG)
STATUS(error, ERROR)
#undef STATUS
