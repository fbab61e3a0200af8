/* The program's calls that read and write files, and return when they have. */

#include "library/file/calls.h"

#include <stdlib.h>

#include "collective/base.h"
#include "library/file/memory.h"
#include "library/file/representation.h"
#include "library/message/messages.h"
#include "library/type/predefined.h"

/* ---- where --------------------------------------------------------------------------------------------- */

/* Bytes that the data have in the file. */
static int bytes_in_file(const struct uno_mpi_file *file, const struct uno_io_data *data, MPI_Count *bytes) {
    MPI_Count size;
    int error = uno_io_size(file->view.representation, data->type, &size);
    *bytes = error ? 0 : size * data->count;
    return error;
}

/* Find where this rank's data of an ordered call begin: behind those of the ranks before. The shared pointer
 * is where it is when all have come, each behind its own calls before. */
static int order(struct uno_mpi_file *file, MPI_Count units, int error, MPI_Offset *at) {
    int rank = uno_io_ranks(file)->rank, size = uno_io_ranks(file)->size;
    uint64_t mine[2] = {(uint64_t)units, 0}, all[2 * UNO_MAX_PES], sum = 0;
    error = uno_io_agree(file, error);
    if (!rank && !error)
        mine[1] = (uint64_t)uno_io_pointer(file);
    error = error ? error : uno_io_meet(file, mine, all, 2);
    if (error)
        return error;
    for (int r = 0; r < size; sum += all[2 * r++])
        if (r == rank)
            *at = (MPI_Offset)(all[1] + sum);
    /* the others come to it behind the end of the call */
    uno_io_pointer_set(file, (MPI_Offset)(all[1] + sum));
    return MPI_SUCCESS;
}

static int find_place(struct uno_mpi_file *file, struct uno_io_how how, MPI_Offset offset, MPI_Count bytes,
                      int error, MPI_Offset *at) {
    MPI_Count unit = file->view.unit, units = (bytes + unit - 1) / unit;
    *at = offset * unit;
    switch (how.place) {
    case UNO_IO_AT:
        return !error && offset < 0 ? uno_error(MPI_ERR_ARG, "offset is %lld", (long long)offset) : error;
    case UNO_IO_OWN:
        *at = file->position;
        return error;
    case UNO_IO_SHARED:
        *at = error ? 0 : uno_io_pointer_take(file, units) * unit;
        return error;
    default:
        error = order(file, units, error, at);
        *at *= unit;
        return error;
    }
}

/* ---- how ----------------------------------------------------------------------------------------------- */

static int move(struct uno_mpi_file *file, struct uno_io_how how, MPI_Offset at, struct uno_io_data *data,
                int error) {
    return how.together ? uno_io_together(file, at, data, error)
           : error      ? error
                        : uno_io_alone(file, at, data);
}

/* Move data that are other ones in the file, as so many bytes, of which *bytes were moved. */
static int move_converted(struct uno_mpi_file *file, struct uno_io_how how, MPI_Offset at,
                          struct uno_io_data *data, MPI_Count *bytes, int error) {
    const struct uno_io_representation *representation = file->view.representation;
    MPI_Count width = *bytes ? *bytes / data->count : 1;
    void *there = uno_base_allocate((size_t)*bytes + 1, 1);
    struct uno_io_data converted = {
        .at = there, .count = *bytes, .type = uno_find_type(MPI_BYTE), .writes = data->writes};
    if (data->writes && !error)
        error = uno_io_convert(representation, data, there, data->count);
    error = move(file, how, at, &converted, error);
    MPI_Count elements = converted.done / width;
    if (!data->writes && !error)
        error = uno_io_convert(representation, data, there, elements);
    data->done = elements * (MPI_Count)data->type->layout.size;
    *bytes = elements * width;
    free(there);
    return error;
}

int uno_io_do(struct uno_mpi_file *file, struct uno_io_how how, MPI_Offset offset, struct uno_io_data *data) {
    MPI_Count bytes = 0;
    MPI_Offset at;
    int error = uno_io_may(file, data->writes, how.place >= UNO_IO_SHARED);
    error = error ? error : bytes_in_file(file, data, &bytes);
    error = find_place(file, how, offset, bytes, error, &at);
    if (how.place == UNO_IO_ORDERED && error)
        return error; /* of all ranks */
    bool native = uno_io_is_native(file->view.representation);
    error = native ? move(file, how, at, data, error) : move_converted(file, how, at, data, &bytes, error);
    if (how.place == UNO_IO_OWN && !error)
        file->position += native ? data->done : bytes;
    return error;
}

/* ---- the functions ------------------------------------------------------------------------------------- */

static int do_now(struct uno_mpi_file *file, struct uno_io_how how, MPI_Offset offset, bool writes,
                  const void *buf, MPI_Count count, struct uno_mpi_type *datatype, MPI_Status *status) {
    struct uno_io_data data = {.at = (void *)buf, .count = count, .type = datatype, .writes = writes};
    int error = uno_io_do(file, how, offset, &data);
    if (!error)
        uno_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, data.done, false);
    return error;
}

#define NOW(name, how) UNO_IO_CALLS(, name, do_now, how, MPI_Status, status)
#define NOW_AT(name, how) UNO_IO_CALLS_AT(, name, do_now, how, MPI_Status, status)
NOW(, UNO_IO_HOW_OWN)
NOW(_all, UNO_IO_HOW_OWN_ALL)
NOW(_shared, UNO_IO_HOW_SHARED)
NOW(_ordered, UNO_IO_HOW_ORDERED)
NOW_AT(_at, UNO_IO_HOW_AT)
NOW_AT(_at_all, UNO_IO_HOW_AT_ALL)
