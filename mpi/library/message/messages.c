#include "library/message/messages.h"

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/type/datatype.h"

/* ---- sending -------------------------------------------------------------------------------------------
 *
 * The engine has the data when a call returns, whichever mode the program asks for. A synchronous send also
 * waits for the answer that its receive has begun. */

/* Send a message whose data may have to be packed. answer: NULL, or as for uno_send_asking. */
static void send_slowly(const void *buf, MPI_Count count, const struct uno_layout *layout, int k,
                        uint64_t word, struct uno_receive *answer) {
    struct uno_channel *channel = uno_rank->channel;
    size_t bytes = (size_t)count * layout->size;
    void *packed = layout->plain ? NULL : uno_base_allocate(bytes + 1, 1);
    if (packed)
        layout->pack(layout, buf, (size_t)count, packed);
    if (answer) {
        uno_channel_await_writer(channel); /* answers come in the order of the messages */
        uno_channel_send_asking(channel, k, word, packed ? packed : buf, bytes, answer,
                                UNO_SIGNATURE_MPI_SSEND);
    } else {
        uno_channel_send_slowly(channel, k, word, packed ? packed : buf, bytes, UNO_SIGNATURE_MPI_SEND);
    }
    free(packed);
}

int uno_mpi_send(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,
                 struct uno_mpi_comm *comm) {
    if (UNO_UNLIKELY(dest == MPI_PROC_NULL))
        return MPI_SUCCESS;
    const struct uno_layout *layout = &datatype->layout;
    uint64_t word = uno_channel_word(uno_comm_context(comm), tag);
    int k = comm->peer[dest];
    if (UNO_LIKELY(layout->plain))
        uno_channel_send(uno_rank->channel, k, word, buf, (size_t)count * layout->size,
                         UNO_SIGNATURE_MPI_SEND);
    else
        send_slowly(buf, count, layout, k, word, NULL);
    return MPI_SUCCESS;
}

void uno_send_asking(const void *buf, MPI_Count count, struct uno_mpi_type *type, int dest, int tag,
                     struct uno_mpi_comm *comm, struct uno_receive *answer) {
    send_slowly(buf, count, &type->layout, comm->peer[dest], uno_channel_word(uno_comm_context(comm), tag),
                answer);
}

bool uno_send_offering(const void *buf, MPI_Count count, const struct uno_mpi_type *type, int dest, int tag,
                       const struct uno_mpi_comm *comm, struct uno_receive *answer) {
    struct uno_channel *channel = uno_rank->channel;
    size_t bytes = (size_t)count * type->layout.size;
    int k = comm->peer[dest];
    if (!type->layout.plain || !uno_offer_pays(channel, k, bytes))
        return false;
    struct uno_sending s = {.channel = channel,
                            .k = k,
                            .word = uno_channel_word(uno_comm_context(comm), tag),
                            .data = buf,
                            .bytes = bytes,
                            .signature = UNO_SIGNATURE_MPI_SEND};
    uno_offer_send(&s, answer);
    return true;
}

int uno_mpi_ssend(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,
                  struct uno_mpi_comm *comm) {
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct uno_receive answer;
    uno_send_asking(buf, count, datatype, dest, tag, comm, &answer);
    uno_channel_finish(uno_rank->channel, &answer, UNO_SIGNATURE_MPI_SSEND);
    return MPI_SUCCESS;
}

int uno_mpi_bsend(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,
                  struct uno_mpi_comm *comm) {
    return uno_mpi_send(buf, count, datatype, dest, tag, comm);
}

int uno_mpi_rsend(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,
                  struct uno_mpi_comm *comm) {
    return uno_mpi_send(buf, count, datatype, dest, tag, comm);
}

/* ---- receiving --------------------------------------------------------------------------------------- */

/* Receive elements of a type that is not plain: they are unpacked when all have come. */
static int receive_packed(void *buf, MPI_Count count, const struct uno_mpi_type *type,
                          struct uno_receive *receive) {
    receive->room = (size_t)count * type->layout.size;
    receive->data = uno_base_allocate(receive->room + 1, 1);
    uno_channel_receive(uno_rank->channel, receive, UNO_SIGNATURE_MPI_RECV);
    uno_type_unpack_part(type, receive->data, uno_least(receive->bytes, receive->room), buf);
    free(receive->data);
    return uno_received(receive);
}

int uno_mpi_recv(void *buf, MPI_Count count, struct uno_mpi_type *datatype, int source, int tag,
                 struct uno_mpi_comm *comm, MPI_Status *status) {
    int error;
    if (UNO_UNLIKELY(source == MPI_PROC_NULL)) {
        uno_status_none(status);
        return MPI_SUCCESS;
    }
    struct uno_receive receive = {
        .envelope = uno_asked(comm, source, tag), .data = buf, .room = (size_t)count * datatype->layout.size};
    if (UNO_LIKELY(datatype->layout.plain)) {
        uno_channel_receive(uno_rank->channel, &receive, UNO_SIGNATURE_MPI_RECV);
        error = uno_received(&receive);
    } else {
        error = receive_packed(buf, count, datatype, &receive);
    }
    uno_status_of(status, comm, &receive);
    return error;
}

/* ---- both -------------------------------------------------------------------------------------------- */

/* Send and receive when the message is long. A message that comes meanwhile goes straight to its buffer. */
static int sendrecv_long(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, int dest,
                         int sendtag, void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                         int source, int recvtag, struct uno_mpi_comm *comm, MPI_Status *status) {
    struct uno_channel *channel = uno_rank->channel;
    struct uno_receive answer = {.done = true};
    struct uno_receive receive = {.envelope = uno_asked(comm, source, recvtag),
                                  .data = recvbuf,
                                  .room = (size_t)recvcount * recvtype->layout.size};
    uno_channel_post(channel, &receive);
    if (dest == MPI_PROC_NULL ||
        !uno_send_offering(sendbuf, sendcount, sendtype, dest, sendtag, comm, &answer))
        uno_mpi_send(sendbuf, sendcount, sendtype, dest, sendtag, comm);
    if (!receive.done)
        uno_channel_finish(channel, &receive, UNO_SIGNATURE_MPI_RECV);
    if (!answer.done)
        uno_channel_finish(channel, &answer, UNO_SIGNATURE_MPI_WAIT);
    uno_status_of(status, comm, &receive);
    return uno_received(&receive);
}

int uno_mpi_sendrecv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, int dest,
                     int sendtag, void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                     int source, int recvtag, struct uno_mpi_comm *comm, MPI_Status *status) {
    /* the buffers are one in MPI_Sendrecv_replace */
    if (recvtype->layout.plain && (size_t)recvcount * recvtype->layout.size >= UNO_SHARE_LEAST &&
        sendbuf != recvbuf && source != MPI_PROC_NULL)
        return sendrecv_long(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                             source, recvtag, comm, status);
    /* the send waits for its reader until that rank makes any call, and takes in messages meanwhile */
    int error = uno_mpi_send(sendbuf, sendcount, sendtype, dest, sendtag, comm);
    return error ? error : uno_mpi_recv(recvbuf, recvcount, recvtype, source, recvtag, comm, status);
}

int uno_mpi_sendrecv_replace(void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int sendtag,
                             int source, int recvtag, struct uno_mpi_comm *comm, MPI_Status *status) {
    return uno_mpi_sendrecv(buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm,
                            status);
}
