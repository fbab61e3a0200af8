/* Questions about data types, and packing by the program. */

#include <string.h>

#include "library/calls.h"
#include "library/type/parts.h"

int uno_mpi_type_size(struct uno_mpi_type *datatype, MPI_Count *size) {
    *size = (MPI_Count)datatype->layout.size;
    return MPI_SUCCESS;
}

int uno_mpi_type_size_x(struct uno_mpi_type *datatype, MPI_Count *size) {
    return uno_mpi_type_size(datatype, size);
}

int uno_mpi_type_get_extent(struct uno_mpi_type *datatype, MPI_Count *lb, MPI_Count *extent) {
    *lb = datatype->low;
    *extent = datatype->layout.extent;
    return MPI_SUCCESS;
}

int uno_mpi_type_get_extent_x(struct uno_mpi_type *datatype, MPI_Count *lb, MPI_Count *extent) {
    return uno_mpi_type_get_extent(datatype, lb, extent);
}

int uno_mpi_type_get_true_extent(struct uno_mpi_type *datatype, MPI_Count *true_lb, MPI_Count *true_extent) {
    *true_lb = datatype->true_low;
    *true_extent = datatype->layout.true_extent;
    return MPI_SUCCESS;
}

int uno_mpi_type_get_true_extent_x(struct uno_mpi_type *datatype, MPI_Count *true_lb,
                                   MPI_Count *true_extent) {
    return uno_mpi_type_get_true_extent(datatype, true_lb, true_extent);
}

int uno_mpi_get_address(const void *location, MPI_Aint *address) {
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

MPI_Aint uno_mpi_aint_add(MPI_Aint base, MPI_Aint disp) {
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp);
}

MPI_Aint uno_mpi_aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
    return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2);
}

/* ---- received elements ------------------------------------------------------------------------------- */

/* Return the bytes of a message, from status words that the program does not use. */
static MPI_Count bytes_of(const MPI_Status *status) {
    MPI_Count bytes;
    memcpy(&bytes, &status->MPI_internal[0], sizeof bytes);
    return bytes;
}

int uno_mpi_get_count(const MPI_Status *status, struct uno_mpi_type *datatype, MPI_Count *count) {
    MPI_Count bytes = bytes_of(status), size = (MPI_Count)datatype->layout.size;
    *count = size == 0 ? (bytes ? MPI_UNDEFINED : 0) : bytes % size ? MPI_UNDEFINED : bytes / size;
    return MPI_SUCCESS;
}

int uno_mpi_get_elements(const MPI_Status *status, struct uno_mpi_type *datatype, MPI_Count *count) {
    MPI_Count bytes = bytes_of(status);
    *count = uno_type_elements_in(datatype, &bytes);
    if (bytes)
        *count = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int uno_mpi_get_elements_x(const MPI_Status *status, struct uno_mpi_type *datatype, MPI_Count *count) {
    return uno_mpi_get_elements(status, datatype, count);
}

int uno_mpi_status_set_elements(MPI_Status *status, struct uno_mpi_type *datatype, MPI_Count count) {
    /* so many basic elements may end inside an element of the type */
    MPI_Count bytes = uno_type_bytes_of(datatype, count);
    memcpy(&status->MPI_internal[0], &bytes, sizeof bytes);
    return MPI_SUCCESS;
}

int uno_mpi_status_set_elements_x(MPI_Status *status, struct uno_mpi_type *datatype, MPI_Count count) {
    return uno_mpi_status_set_elements(status, datatype, count);
}

/* ---- packing by hand --------------------------------------------------------------------------------- */

int uno_mpi_pack_size(MPI_Count incount, struct uno_mpi_type *datatype, struct uno_mpi_comm *comm,
                      MPI_Count *size) {
    (void)comm;
    *size = incount * (MPI_Count)datatype->layout.size;
    return MPI_SUCCESS;
}

static void pack(const struct uno_layout *layout, const void *in, size_t count, void *bytes) {
    if (!layout->plain)
        layout->pack(layout, in, count, bytes);
    else if (count && layout->size)
        memcpy(bytes, in, count * layout->size);
}

int uno_mpi_pack(const void *inbuf, MPI_Count incount, struct uno_mpi_type *datatype, void *outbuf,
                 MPI_Count outsize, MPI_Count *position, struct uno_mpi_comm *comm) {
    (void)comm;
    MPI_Count bytes = incount * (MPI_Count)datatype->layout.size;
    if (*position < 0 || bytes > outsize - *position)
        return uno_error(MPI_ERR_TRUNCATE,
                         "%lld bytes do not fit into outbuf, which has %lld from position %lld on",
                         (long long)bytes, (long long)(outsize - *position), (long long)*position);
    pack(&datatype->layout, inbuf, (size_t)incount, (char *)outbuf + *position);
    *position += bytes;
    return MPI_SUCCESS;
}

int uno_mpi_unpack(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
                   struct uno_mpi_type *datatype, struct uno_mpi_comm *comm) {
    (void)comm;
    const struct uno_layout *layout = &datatype->layout;
    MPI_Count bytes = outcount * (MPI_Count)layout->size;
    if (*position < 0 || bytes > insize - *position)
        return uno_error(MPI_ERR_TRUNCATE,
                         "%lld bytes are asked for, and inbuf has %lld from position %lld on",
                         (long long)bytes, (long long)(insize - *position), (long long)*position);
    const char *from = (const char *)inbuf + *position;
    if (!layout->plain)
        layout->unpack(layout, from, (size_t)outcount, outbuf);
    else if (bytes)
        memcpy(outbuf, from, (size_t)bytes);
    *position += bytes;
    return MPI_SUCCESS;
}
