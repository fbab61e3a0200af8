#include "library/message/requests.h"

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/message/messages.h"
#include "library/type/datatype.h"
#include "library/type/predefined.h"

static void release(void *object) {
    struct uno_mpi_request *r = object;
    if (r->active && r->what == UNO_RECEIVES && !uno_request_is_done(r))
        uno_channel_cancel(uno_rank->channel, &r->receive);
    if (UNO_UNLIKELY(r->memory != NULL)) {
        free(r->memory);
        r->memory = NULL;
    }
    if (UNO_UNLIKELY(r->kind != NULL)) {
        r->kind->drop(r->kept);
        r->kind = NULL;
        r->kept = NULL;
    }
    if (r == uno_rank->sent)
        uno_rank->sent = NULL;
    uno_object_drop(r->type);
    uno_object_drop(r->comm);
}

/* once: as in the structure; then it is active. */
static inline struct uno_mpi_request *make(enum uno_request_way what, void *buffer, MPI_Count count,
                                           struct uno_mpi_type *type, int peer, int tag,
                                           struct uno_mpi_comm *comm, bool once) {
    struct uno_mpi_request *r = uno_object_again(UNO_REQUEST);
    if (UNO_UNLIKELY(!r))
        r = uno_object_make(UNO_REQUEST, sizeof *r, 0, release);
    r->what = what;
    r->persistent = r->cancelled = r->freed = false;
    r->active = r->once = once;
    r->buffer = buffer;
    r->count = count;
    r->type = uno_object_hold(type);
    r->peer = peer;
    r->tag = tag;
    r->comm = uno_object_hold(comm);
    return r;
}

struct uno_mpi_request *uno_request_make(enum uno_request_way what, void *buffer, MPI_Count count,
                                         struct uno_mpi_type *type, int peer, int tag,
                                         struct uno_mpi_comm *comm) {
    struct uno_mpi_request *r = make(what, buffer, count, type, peer, tag, comm, false);
    uno_called_note(&r->called, uno_rank);
    return r;
}

/* Return a request for the first send that was done when it had begun. */
static UNO_COLD MPI_Request sent_first(void) {
    struct uno_rank *rank = uno_rank;
    struct uno_mpi_request *r =
        make(UNO_SENDS, NULL, 0, uno_find_type(MPI_BYTE), MPI_ANY_SOURCE, 0, rank->self, false);
    r->active = r->receive.done = true;
    rank->sent = r;
    return (MPI_Request)r->object.handle;
}

/* Return a request for such a send: all share one request, and each holds a reference. */
static inline MPI_Request sent(void) {
    struct uno_mpi_request *r = uno_rank->sent;
    if (UNO_UNLIKELY(!r))
        return sent_first();
    r->object.references++;
    return (MPI_Request)r->object.handle;
}

struct uno_mpi_request *uno_request_begin(const struct uno_request_kind *kind, void *kept) {
    struct uno_mpi_request *r = uno_object_make(UNO_REQUEST, sizeof *r, 0, release);
    r->what = UNO_OTHER;
    r->kind = kind;
    r->kept = kept;
    uno_called_note(&r->called, uno_rank);
    r->active = true;
    return r;
}

/* Prepare the engine's record of a receive, before a message comes for it. */
static void prepare(struct uno_mpi_request *r) {
    size_t room = (size_t)r->count * r->type->layout.size;
    if (!r->type->layout.plain && !r->memory)
        r->memory = uno_base_allocate(room + 1, 1);
    r->receive.envelope = uno_asked(r->comm, r->peer, r->tag);
    r->receive.data = r->memory ? r->memory : r->buffer;
    r->receive.room = room;
}

void uno_request_start(struct uno_mpi_request *r) {
    r->active = true;
    r->cancelled = false;
    r->receive.done = true;
    if (r->peer == MPI_PROC_NULL)
        return;
    if (r->what == UNO_OTHER) {
        r->kind->start(r);
    } else if (r->what == UNO_OFFERS &&
               uno_send_offering(r->buffer, r->count, r->type, r->peer, r->tag, r->comm, &r->receive)) {
        return;
    } else if (r->what == UNO_SENDS || r->what == UNO_OFFERS) {
        uno_mpi_send(r->buffer, r->count, r->type, r->peer, r->tag, r->comm);
    } else if (r->what == UNO_ASKS) {
        uno_send_asking(r->buffer, r->count, r->type, r->peer, r->tag, r->comm, &r->receive);
    } else {
        prepare(r);
        uno_channel_post(uno_rank->channel, &r->receive);
    }
}

/* Unpack the data that have come to the program's buffer. */
static void deliver(struct uno_mpi_request *r) {
    uno_type_unpack_part(r->type, r->memory, uno_least(r->receive.bytes, r->receive.room), r->buffer);
    free(r->memory);
    r->memory = NULL;
}

int uno_request_tell(struct uno_mpi_request *r, MPI_Status *status) {
    if (!r || !r->active) {
        uno_status_empty(status);
    } else if (UNO_UNLIKELY(r->kind != NULL)) {
        return r->kind->tell(r, status);
    } else if (r->peer == MPI_PROC_NULL) {
        uno_status_none(status);
    } else if (r->what != UNO_RECEIVES) {
        uno_status_empty(status);
    } else if (r->cancelled) {
        uno_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, true);
    } else {
        if (UNO_UNLIKELY(r->memory != NULL))
            deliver(r);
        uno_status_of(status, r->comm, &r->receive);
        return uno_received(&r->receive);
    }
    return MPI_SUCCESS;
}

int uno_request_end(struct uno_mpi_request *r) {
    int error = UNO_UNLIKELY(r->kind != NULL) ? r->kind->end(r) : MPI_SUCCESS;
    uno_object_drop(r);
    return error;
}

int uno_request_complete_any(MPI_Request *handle, MPI_Status *status) {
    struct uno_mpi_request *r = uno_find_request(*handle);
    int error = uno_request_tell(r, status);
    if (!r)
        return error;
    if (UNO_UNLIKELY(error && r->comm))
        uno_blame(r->comm);
    if (r->persistent) {
        r->active = false;
    } else {
        int ended = uno_request_end(r);
        error = error ? error : ended;
        *handle = MPI_REQUEST_NULL;
    }
    return error;
}

/* ---- beginning --------------------------------------------------------------------------------------- */

static int begin(enum uno_request_way what, const void *buf, MPI_Count count, struct uno_mpi_type *type,
                 int peer, int tag, struct uno_mpi_comm *comm, MPI_Request *request) {
    struct uno_mpi_request *r = uno_request_make(what, (void *)buf, count, type, peer, tag, comm);
    uno_request_start(r);
    *request = (MPI_Request)r->object.handle;
    return MPI_SUCCESS;
}

static int keep(enum uno_request_way what, const void *buf, MPI_Count count, struct uno_mpi_type *type,
                int peer, int tag, struct uno_mpi_comm *comm, MPI_Request *request) {
    struct uno_mpi_request *r = uno_request_make(what, (void *)buf, count, type, peer, tag, comm);
    r->persistent = true;
    *request = (MPI_Request)r->object.handle;
    return MPI_SUCCESS;
}

int uno_request_nothing(MPI_Request *request) {
    *request = sent();
    return MPI_SUCCESS;
}

#define SENDS(name, way, what)                                                                               \
    int uno_mpi_##name(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,   \
                       struct uno_mpi_comm *comm, MPI_Request *request) {                                    \
        return way(what, buf, count, datatype, dest, tag, comm, request);                                    \
    }
SENDS(issend, begin, UNO_ASKS)
SENDS(send_init, keep, UNO_OFFERS)
SENDS(bsend_init, keep, UNO_SENDS)
SENDS(rsend_init, keep, UNO_OFFERS)
SENDS(ssend_init, keep, UNO_ASKS)
#undef SENDS

int uno_mpi_isend(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,
                  struct uno_mpi_comm *comm, MPI_Request *request) {
    if (UNO_UNLIKELY(dest == MPI_PROC_NULL || (size_t)count * datatype->layout.size >= UNO_SHARE_LEAST))
        return begin(UNO_OFFERS, buf, count, datatype, dest, tag, comm, request);
    *request = sent();
    return uno_mpi_send(buf, count, datatype, dest, tag, comm);
}

int uno_mpi_ibsend(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,
                   struct uno_mpi_comm *comm, MPI_Request *request) {
    *request = sent();
    return uno_mpi_send(buf, count, datatype, dest, tag, comm);
}

int uno_mpi_irsend(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,
                   struct uno_mpi_comm *comm, MPI_Request *request) {
    return uno_mpi_isend(buf, count, datatype, dest, tag, comm, request);
}

int uno_mpi_irecv(void *buf, MPI_Count count, struct uno_mpi_type *datatype, int source, int tag,
                  struct uno_mpi_comm *comm, MPI_Request *request) {
    if (UNO_UNLIKELY(source == MPI_PROC_NULL || !datatype->layout.plain))
        return begin(UNO_RECEIVES, buf, count, datatype, source, tag, comm, request);
    struct uno_mpi_request *r = make(UNO_RECEIVES, buf, count, datatype, source, tag, comm, true);
    uno_called_note(&r->called, uno_rank);
    *request = (MPI_Request)r->object.handle;
    r->receive.envelope = uno_asked(comm, source, tag);
    r->receive.data = buf;
    r->receive.room = (size_t)count * datatype->layout.size;
    uno_channel_post(uno_rank->channel, &r->receive);
    return MPI_SUCCESS;
}

int uno_mpi_recv_init(void *buf, MPI_Count count, struct uno_mpi_type *datatype, int source, int tag,
                      struct uno_mpi_comm *comm, MPI_Request *request) {
    return keep(UNO_RECEIVES, buf, count, datatype, source, tag, comm, request);
}

/* Both operations share one request, that of the receive: a send is done when it has begun. */
int uno_mpi_isendrecv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, int dest,
                      int sendtag, void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                      int source, int recvtag, struct uno_mpi_comm *comm, MPI_Request *request) {
    uno_mpi_send(sendbuf, sendcount, sendtype, dest, sendtag, comm);
    return uno_mpi_irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, request);
}

int uno_mpi_isendrecv_replace(void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest,
                              int sendtag, int source, int recvtag, struct uno_mpi_comm *comm,
                              MPI_Request *request) {
    return uno_mpi_isendrecv(buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm,
                             request);
}

int uno_mpi_imrecv(void *buf, MPI_Count count, struct uno_mpi_type *datatype, MPI_Message *message,
                   MPI_Request *request) {
    bool none = *message == MPI_MESSAGE_NO_PROC;
    struct uno_mpi_message *m = none ? NULL : uno_object_of((uintptr_t)*message, UNO_MESSAGE);
    *message = MPI_MESSAGE_NULL;
    if (none)
        return uno_mpi_irecv(buf, count, datatype, MPI_PROC_NULL, MPI_ANY_TAG, uno_rank->self, request);
    if (!m)
        return uno_error(MPI_ERR_REQUEST, "message is none");
    struct uno_mpi_request *r =
        uno_request_make(UNO_RECEIVES, buf, count, datatype, MPI_ANY_SOURCE, MPI_ANY_TAG, m->comm);
    r->active = true;
    prepare(r);
    uno_channel_receive_message(uno_rank->channel, m->message, &r->receive);
    m->message = NULL;
    uno_object_drop(m);
    *request = (MPI_Request)r->object.handle;
    return MPI_SUCCESS;
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
    if (r->kind && r->kind->stays && !uno_request_is_done(r))
        return uno_error(MPI_ERR_REQUEST, "request is a collective that goes on, and only its end frees it");
    /* a request that is under way is freed when the rank ends: until then the program must keep its buffer */
    r->freed = true;
    *request = MPI_REQUEST_NULL;
    return uno_request_is_done(r) ? uno_request_end(r) : MPI_SUCCESS;
}

int uno_mpi_cancel(MPI_Request *request) {
    struct uno_mpi_request *r = uno_find_request(*request);
    if (!r || !r->active)
        return uno_error(MPI_ERR_REQUEST, "request is %s", r ? "not active" : "none");
    if (r->kind)
        return r->kind->cancel(r);
    if (!uno_request_is_done(r) && uno_channel_cancel(uno_rank->channel, &r->receive))
        r->cancelled = r->receive.done = true;
    r->once &= !r->cancelled;
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
