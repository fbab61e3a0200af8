/* Partitioned messages: persistent ones, of which the program tells part by part that the data are there. The
 * message goes as a whole when the last part is, so that both sides may have different numbers of parts, and
 * all parts arrive at the same time. It is matched in a context of its own: no other receive gets it. */

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/message/requests.h"
#include "library/type/datatype.h"

struct parts {
    bool sends;
    uint32_t context;
    int count, left; /* parts, and those of them that are not ready */
    bool *ready;     /* for each whether it is */
    size_t elements; /* of all parts */
    void *memory;    /* packed data, for a type that is not plain; or NULL */
};

static size_t bytes_of(const struct uno_mpi_request *r) {
    const struct parts *parts = r->kept;
    return parts->elements * r->type->layout.size;
}

/* ---- the request --------------------------------------------------------------------------------------- */

static void send(struct uno_mpi_request *r) {
    const struct parts *parts = r->kept;
    const struct uno_layout *layout = &r->type->layout;
    if (parts->memory)
        layout->pack(layout, r->buffer, parts->elements, parts->memory);
    uno_channel_send(uno_rank->channel, r->comm->peer[r->peer], uno_channel_word(parts->context, r->tag),
                     parts->memory ? parts->memory : r->buffer, bytes_of(r), UNO_SIGNATURE_MPI_SEND);
    r->receive.done = true;
    uno_rank->channel->moves++; /* for a thread that waits for it */
}

static void start(struct uno_mpi_request *r) {
    struct parts *parts = r->kept;
    r->receive = (struct uno_receive){
        .envelope = {.context = parts->context, .source = r->comm->peer[r->peer], .tag = r->tag},
        .data = parts->memory ? parts->memory : r->buffer,
        .room = bytes_of(r)};
    memset(parts->ready, 0, (size_t)parts->count);
    parts->left = parts->count;
    if (!parts->sends)
        uno_channel_post(uno_rank->channel, &r->receive);
    else if (!parts->left)
        send(r);
}

static int tell(struct uno_mpi_request *r, MPI_Status *status) {
    const struct parts *parts = r->kept;
    if (r->peer == MPI_PROC_NULL || parts->sends) {
        (r->peer == MPI_PROC_NULL ? uno_status_none : uno_status_empty)(status);
        return MPI_SUCCESS;
    }
    if (parts->memory)
        uno_type_unpack_part(r->type, parts->memory, uno_least(r->receive.bytes, r->receive.room), r->buffer);
    uno_status_of(status, r->comm, &r->receive);
    return uno_received(&r->receive);
}

static int cancel(struct uno_mpi_request *r) {
    (void)r;
    return uno_error(MPI_ERR_REQUEST, "request is a partitioned message, which cannot be cancelled");
}

static int end(struct uno_mpi_request *r) {
    (void)r;
    return MPI_SUCCESS;
}

static void drop(void *kept) {
    struct parts *parts = kept;
    free(parts->ready);
    free(parts->memory);
    free(parts);
}

static const struct uno_request_kind partitioned = {
    .tell = tell, .cancel = cancel, .end = end, .start = start, .drop = drop, .stays = true};

/* Return how many such requests there were before. */
static unsigned count(struct uno_mpi_comm *comm, int peer, int tag, bool sends) {
    struct uno_paired *paired = comm->paired;
    while (paired && !(paired->peer == peer && paired->tag == tag))
        paired = paired->next;
    if (!paired) {
        paired = uno_base_allocate(1, sizeof *paired);
        *paired = (struct uno_paired){.next = comm->paired, .peer = peer, .tag = tag};
        comm->paired = paired;
    }
    return paired->made[sends]++;
}

static int make(bool sends, const void *buf, int partitions, MPI_Count elements, struct uno_mpi_type *type,
                int peer, int tag, struct uno_mpi_comm *comm, MPI_Request *request) {
    struct parts *parts = uno_base_allocate(1, sizeof *parts);
    *parts = (struct parts){.sends = sends,
                            .count = partitions,
                            .elements = (size_t)partitions * (size_t)elements,
                            .context = uno_comm_part_context(comm, count(comm, peer, tag, sends))};
    parts->ready = uno_base_allocate((size_t)partitions + 1, sizeof *parts->ready);
    if (!type->layout.plain)
        parts->memory = uno_base_allocate(parts->elements * type->layout.size + 1, 1);
    struct uno_mpi_request *r = uno_request_begin(&partitioned, parts);
    r->active = false;
    r->persistent = true;
    r->buffer = (void *)buf;
    r->type = uno_object_hold(type);
    r->comm = uno_object_hold(comm);
    r->peer = peer;
    r->tag = tag;
    *request = (MPI_Request)r->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_psend_init(const void *buf, int partitions, MPI_Count count, struct uno_mpi_type *datatype,
                       int dest, int tag, struct uno_mpi_comm *comm, struct uno_mpi_info *info,
                       MPI_Request *request) {
    (void)info;
    return make(true, buf, partitions, count, datatype, dest, tag, comm, request);
}

int uno_mpi_precv_init(void *buf, int partitions, MPI_Count count, struct uno_mpi_type *datatype, int dest,
                       int tag, struct uno_mpi_comm *comm, struct uno_mpi_info *info, MPI_Request *request) {
    (void)info;
    return make(false, buf, partitions, count, datatype, dest, tag, comm, request);
}

/* ---- its parts --------------------------------------------------------------------------------------- */

/* Check that the request is one that sends, or receives, with such a part. NULL: an error was noted in
 * *error. */
static struct uno_mpi_request *find(MPI_Request request, bool sends, int partition, int *error) {
    struct uno_mpi_request *r = uno_find_request(request);
    const struct parts *parts = r && r->kind == &partitioned ? r->kept : NULL;
    if (!parts || parts->sends != sends)
        *error = uno_error(MPI_ERR_REQUEST, "request is no partitioned %s", sends ? "send" : "receive");
    else if (partition < 0 || partition >= parts->count)
        *error = uno_error(MPI_ERR_ARG, "a partition is %d; the request has %d", partition, parts->count);
    else
        return r;
    return NULL;
}

static int mark(MPI_Request request, int partition) {
    int error = MPI_SUCCESS;
    struct uno_mpi_request *r = find(request, true, partition, &error);
    if (!r)
        return error;
    struct parts *parts = r->kept;
    if (!r->active)
        return uno_error(MPI_ERR_REQUEST, "request has not been started");
    if (r->peer == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (parts->ready[partition])
        return uno_error(MPI_ERR_ARG, "partition %d is ready already", partition);
    parts->ready[partition] = true;
    if (!--parts->left)
        send(r);
    return MPI_SUCCESS;
}

int uno_mpi_pready(int partition, MPI_Request request) {
    return mark(request, partition);
}

int uno_mpi_pready_range(int partition_low, int partition_high, MPI_Request request) {
    int error = MPI_SUCCESS;
    if (partition_low > partition_high)
        return uno_error(MPI_ERR_ARG, "partition_low is %d, and partition_high %d", partition_low,
                         partition_high);
    if (!find(request, true, partition_high, &error))
        return error;
    for (int i = partition_low; i <= partition_high && !error; i++)
        error = mark(request, i);
    return error;
}

int uno_mpi_pready_list(int length, const int array_of_partitions[], MPI_Request request) {
    int error = MPI_SUCCESS;
    if (!find(request, true, 0, &error))
        return error;
    for (int i = 0; i < length && !error; i++)
        error = mark(request, array_of_partitions[i]);
    return error;
}

int uno_mpi_parrived(MPI_Request request, int partition, int *flag) {
    int error = MPI_SUCCESS;
    const struct uno_mpi_request *r = find(request, false, partition, &error);
    *flag = 1;
    if (!r || uno_request_is_done(r))
        return error;
    uno_channel_advance(uno_rank->channel);
    *flag = uno_request_is_done(r);
    if (!*flag)
        uno_channel_looked_in_vain(uno_rank->channel, r->receive.envelope.source, UNO_SIGNATURE_MPI_TEST);
    return MPI_SUCCESS;
}
