/* Calls that read and write files beside the program: nonblocking ones, and collective ones that are split
 * into a beginning and an end. The page cache takes and gives data at once, so both move them when they
 * begin; a nonblocking one does not wait for other ranks, even where all of them call it. */

#include <stdlib.h>

#include "collective/base.h"
#include "library/file/calls.h"
#include "library/message/requests.h"
#include "library/object/address.h"

/* ---- nonblocking --------------------------------------------------------------------------------------- */

static int tell(struct uno_mpi_request *r, MPI_Status *status) {
    uno_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, *(const MPI_Count *)r->kept, false);
    return MPI_SUCCESS;
}

static int leave(struct uno_mpi_request *r) {
    (void)r;
    return MPI_SUCCESS;
}

static const struct uno_request_kind moved = {.tell = tell, .cancel = leave, .end = leave, .drop = free};

static int begin(struct uno_mpi_file *file, struct uno_io_how how, MPI_Offset offset, bool writes,
                 const void *buf, MPI_Count count, struct uno_mpi_type *datatype, MPI_Request *request) {
    struct uno_io_data data = {.at = (void *)buf, .count = count, .type = datatype, .writes = writes};
    int error = uno_io_do(file, how, offset, &data);
    *request = MPI_REQUEST_NULL;
    if (error)
        return error;
    MPI_Count *done = uno_base_allocate(1, sizeof *done);
    *done = data.done;
    struct uno_mpi_request *r = uno_request_begin(&moved, done);
    r->receive.done = true;
    *request = (MPI_Request)r->object.handle;
    return MPI_SUCCESS;
}

#define BESIDE(name, how) UNO_IO_CALLS(i, name, begin, how, MPI_Request, request)
#define BESIDE_AT(name, how) UNO_IO_CALLS_AT(i, name, begin, how, MPI_Request, request)
BESIDE(, UNO_IO_HOW_OWN)
BESIDE(_all, UNO_IO_HOW_OWN)
BESIDE(_shared, UNO_IO_HOW_SHARED)
BESIDE_AT(_at, UNO_IO_HOW_AT)
BESIDE_AT(_at_all, UNO_IO_HOW_AT)

/* ---- split collectives --------------------------------------------------------------------------------- */

static int begin_split(struct uno_mpi_file *file, const char *end, struct uno_io_how how, MPI_Offset offset,
                       bool writes, const void *buf, MPI_Count count, struct uno_mpi_type *datatype) {
    if (file->split.end)
        return uno_error(MPI_ERR_IO, "%s has not been called yet", file->split.end);
    struct uno_io_data data = {.at = (void *)buf, .count = count, .type = datatype, .writes = writes};
    int error = uno_io_do(file, how, offset, &data);
    if (!error)
        file->split = (struct uno_io_split){.end = end, .buffer = buf, .bytes = data.done};
    return error;
}

static int end_split(struct uno_mpi_file *file, const char *end, const char *begins, const void *buf,
                     MPI_Status *status) {
    if (file->split.end != end)
        return uno_error(MPI_ERR_IO, "%s has not been called before", begins);
    file->split.end = NULL;
    if (uno_is_address(file->split.buffer) && !uno_is_address(buf))
        return uno_error(MPI_ERR_BUFFER, "buf is a null pointer");
    uno_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, file->split.bytes, false);
    return MPI_SUCCESS;
}

#define END(name)                                                                                            \
    static const char read##name##_end[] = "MPI_File_read" #name "_end";                                     \
    static const char write##name##_end[] = "MPI_File_write" #name "_end";                                   \
    int uno_mpi_file_read##name##_end(struct uno_mpi_file *fh, void *buf, MPI_Status *status) {              \
        return end_split(fh, read##name##_end, "MPI_File_read" #name "_begin", buf, status);                 \
    }                                                                                                        \
    int uno_mpi_file_write##name##_end(struct uno_mpi_file *fh, const void *buf, MPI_Status *status) {       \
        return end_split(fh, write##name##_end, "MPI_File_write" #name "_begin", buf, status);               \
    }
#define SPLIT(name, how)                                                                                     \
    END(name)                                                                                                \
    int uno_mpi_file_read##name##_begin(struct uno_mpi_file *fh, void *buf, MPI_Count count,                 \
                                        struct uno_mpi_type *datatype) {                                     \
        return begin_split(fh, read##name##_end, how, 0, false, buf, count, datatype);                       \
    }                                                                                                        \
    int uno_mpi_file_write##name##_begin(struct uno_mpi_file *fh, const void *buf, MPI_Count count,          \
                                         struct uno_mpi_type *datatype) {                                    \
        return begin_split(fh, write##name##_end, how, 0, true, buf, count, datatype);                       \
    }
#define SPLIT_AT(name, how)                                                                                  \
    END(name)                                                                                                \
    int uno_mpi_file_read##name##_begin(struct uno_mpi_file *fh, MPI_Offset offset, void *buf,               \
                                        MPI_Count count, struct uno_mpi_type *datatype) {                    \
        return begin_split(fh, read##name##_end, how, offset, false, buf, count, datatype);                  \
    }                                                                                                        \
    int uno_mpi_file_write##name##_begin(struct uno_mpi_file *fh, MPI_Offset offset, const void *buf,        \
                                         MPI_Count count, struct uno_mpi_type *datatype) {                   \
        return begin_split(fh, write##name##_end, how, offset, true, buf, count, datatype);                  \
    }
SPLIT(_all, UNO_IO_HOW_OWN_ALL)
SPLIT(_ordered, UNO_IO_HOW_ORDERED)
SPLIT_AT(_at_all, UNO_IO_HOW_AT_ALL)
