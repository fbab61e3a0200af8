#include "library/messages.h"

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/predefined.h"

/* ---- sending: data are the engine's when the call returns, whichever mode the program asks for
 * ------------- */

static void send_packed(const void *buf, MPI_Count count, const struct uno_layout *layout, int k,
                        uint64_t word) {
    size_t bytes = (size_t)count * layout->size;
    void *packed = uno_base_allocate(bytes + 1, 1);
    layout->pack(layout, buf, (size_t)count, packed);
    uno_channel_send(uno_rank->channel, k, word, packed, bytes, UNO_SIGNATURE_MPI_SEND);
    free(packed);
}

int uno_mpi_send(const void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int tag,
                 struct uno_mpi_comm *comm) {
    const struct uno_layout *layout = &datatype->layout;
    if (UNO_UNLIKELY(dest == MPI_PROC_NULL))
        return MPI_SUCCESS;
    uint64_t word = uno_channel_word(uno_comm_context(comm), tag);
    int k = comm->comm.pe[dest];
    if (UNO_LIKELY(layout->plain))
        uno_channel_send(uno_rank->channel, k, word, buf, (size_t)count * layout->size,
                         UNO_SIGNATURE_MPI_SEND);
    else
        send_packed(buf, count, layout, k, word);
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

/* Of a type whose elements do not lie in memory as they are packed. */
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

int uno_mpi_sendrecv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, int dest,
                     int sendtag, void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype,
                     int source, int recvtag, struct uno_mpi_comm *comm, MPI_Status *status) {
    /* a send waits for its reader at most until that is in any call, and takes in what comes meanwhile */
    int error = uno_mpi_send(sendbuf, sendcount, sendtype, dest, sendtag, comm);
    return error ? error : uno_mpi_recv(recvbuf, recvcount, recvtype, source, recvtag, comm, status);
}

int uno_mpi_sendrecv_replace(void *buf, MPI_Count count, struct uno_mpi_type *datatype, int dest, int sendtag,
                             int source, int recvtag, struct uno_mpi_comm *comm, MPI_Status *status) {
    return uno_mpi_sendrecv(buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm,
                            status);
}

/* ---- buffers of the program, of which a send needs none ---------------------------------------------------
 */

int uno_mpi_buffer_attach(void *buffer, MPI_Count size) {
    struct uno_rank *rank = uno_rank;
    if (rank->buffer_attached)
        return uno_error(MPI_ERR_BUFFER, "a buffer is attached already");
    rank->buffer_attached = true;
    rank->attached = buffer;
    rank->attached_bytes = size;
    return MPI_SUCCESS;
}

int uno_mpi_buffer_detach(void *buffer_addr, MPI_Count *size) {
    struct uno_rank *rank = uno_rank;
    if (!rank->buffer_attached)
        return uno_error(MPI_ERR_BUFFER, "no buffer is attached");
    memcpy(buffer_addr, &rank->attached, sizeof rank->attached);
    *size = rank->attached_bytes;
    rank->buffer_attached = false;
    return MPI_SUCCESS;
}

int uno_mpi_buffer_flush(void) {
    return MPI_SUCCESS;
}
