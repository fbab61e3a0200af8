/* Buffers that the program attaches for its buffered sends. Those need none, so a buffer is only kept, for
 * the whole rank or for a communicator, and nothing in it is ever waited for. */

#include <string.h>

#include "library/calls.h"
#include "library/message/requests.h"

static int attach(struct uno_attached *attached, void *buffer, MPI_Count size) {
    if (!buffer && size > 0)
        return uno_error(MPI_ERR_BUFFER, "buffer is a null pointer, and its size is %lld", (long long)size);
    if (attached->there)
        return uno_error(MPI_ERR_BUFFER, "a buffer is attached already");
    *attached = (struct uno_attached){true, buffer, size};
    return MPI_SUCCESS;
}

static int detach(struct uno_attached *attached, void *buffer_addr, MPI_Count *size) {
    if (!attached->there)
        return uno_error(MPI_ERR_BUFFER, "no buffer is attached");
    memcpy(buffer_addr, &attached->at, sizeof attached->at);
    *size = attached->bytes;
    attached->there = false;
    return MPI_SUCCESS;
}

int uno_mpi_buffer_attach(void *buffer, MPI_Count size) {
    return attach(&uno_rank->attached, buffer, size);
}

int uno_mpi_buffer_detach(void *buffer_addr, MPI_Count *size) {
    return detach(&uno_rank->attached, buffer_addr, size);
}

int uno_mpi_buffer_flush(void) {
    return MPI_SUCCESS;
}

int uno_mpi_buffer_iflush(MPI_Request *request) {
    return uno_request_nothing(request);
}

int uno_mpi_comm_attach_buffer(struct uno_mpi_comm *comm, void *buffer, MPI_Count size) {
    return attach(&comm->attached, buffer, size);
}

int uno_mpi_comm_detach_buffer(struct uno_mpi_comm *comm, void *buffer_addr, MPI_Count *size) {
    return detach(&comm->attached, buffer_addr, size);
}

int uno_mpi_comm_flush_buffer(struct uno_mpi_comm *comm) {
    (void)comm;
    return MPI_SUCCESS;
}

int uno_mpi_comm_iflush_buffer(struct uno_mpi_comm *comm, MPI_Request *request) {
    (void)comm;
    return uno_request_nothing(request);
}
