/* Reads and writes of one rank: its data in memory, packed, from or to the runs of its view. */

#include <errno.h>
#include <stdlib.h>

#include "collective/base.h"
#include "engine/bytes.h"
#include "library/file/blocks.h"
#include "library/file/lock.h"

/* ---- packed data --------------------------------------------------------------------------------------- */

/* A walk over the runs, beside packed data in memory. */
struct walk {
    int fd, error;
    bool writes;
    char *memory;
    MPI_Count done;
};

/* Move a run by a system call of its own. */
static bool call(void *context, MPI_Count at, MPI_Count bytes) {
    struct walk *w = context;
    size_t got = (size_t)bytes;
    int error = w->writes ? uno_file_put(w->fd, w->memory, got, (uint64_t)at)
                          : uno_file_get(w->fd, w->memory, got, (uint64_t)at, &got);
    w->error = -error;
    w->memory += got;
    w->done += error ? 0 : (MPI_Count)got;
    return !error && got == (size_t)bytes;
}

static int move_runs(struct uno_mpi_file *file, bool writes, MPI_Offset at, char *memory, MPI_Count bytes,
                     MPI_Count *done) {
    struct walk w = {.fd = file->fd, .writes = writes, .memory = memory};
    bool locks = writes && file->locks && !file->atomic; /* somebody may write blocks around the runs */
    if (locks)
        uno_io_lock(file, UNO_IO_LOCK_WITH_OTHERS, 0, 0);
    uno_io_runs(&file->view, at, bytes, call, &w);
    if (locks)
        uno_io_lock(file, UNO_IO_UNLOCK, 0, 0);
    *done = w.done;
    return w.error;
}

/* Returns 0 or an errno. */
static int move(struct uno_mpi_file *file, bool writes, MPI_Offset at, char *memory, MPI_Count bytes,
                MPI_Count *done) {
    enum { FEW = 4 };
    const struct uno_io_view *view = &file->view;
    bool blocks =
        uno_io_is_short(view) && bytes > FEW * (view->bytes / view->runs) && (!writes || file->reads);
    if (!blocks)
        return move_runs(file, writes, at, memory, bytes, done);
    if (!writes)
        return uno_io_blocks_read(file, at, memory, bytes, done);
    int error = uno_io_blocks_write(file, at, memory, bytes, done);
    return error == ENOLCK ? move_runs(file, writes, at, memory, bytes, done) : error;
}

/* ---- data in memory that are not packed ---------------------------------------------------------------- */

static int move_by_parts(struct uno_mpi_file *file, MPI_Offset at, struct uno_io_data *data,
                         MPI_Count bytes) {
    enum { PACKED = 1 << 20 };
    char *packed = uno_base_allocate((size_t)uno_io_least(bytes, PACKED), 1);
    int error = 0;
    for (MPI_Count some, moved = 0; data->done < bytes && !error; data->done += moved) {
        some = uno_io_least(bytes - data->done, PACKED);
        if (data->writes)
            uno_io_pack(data, data->done, some, packed);
        error = move(file, data->writes, at + data->done, packed, some, &moved);
        if (!data->writes)
            uno_io_pack(data, data->done, moved, packed);
        if (moved < some) {
            data->done += moved;
            break;
        }
    }
    free(packed);
    return error;
}

/* ---- the operation --------------------------------------------------------------------------------------
 */

/* Take or give back, for an atomic operation, a lock of all that lies between its first byte and its last. */
static int lock(const struct uno_mpi_file *file, enum uno_io_lock kind, MPI_Offset at, MPI_Count bytes) {
    if (!file->atomic)
        return 0;
    if (!file->view.ordered)
        return uno_io_lock(file, kind, 0, 0);
    MPI_Offset first = uno_io_place(&file->view, at), last = uno_io_place(&file->view, at + bytes - 1);
    return uno_io_lock(file, kind, first, last - first + 1);
}

int uno_io_alone(struct uno_mpi_file *file, MPI_Offset at, struct uno_io_data *data) {
    MPI_Count bytes = uno_io_bytes(data);
    data->done = 0;
    if (!bytes)
        return MPI_SUCCESS;
    if (!file->view.bytes)
        return uno_error(MPI_ERR_IO, "the view of %s at this rank has no data, and the call has %lld bytes",
                         file->path, (long long)bytes);
    int error = lock(file, data->writes ? UNO_IO_LOCK_ALONE : UNO_IO_LOCK_WITH_OTHERS, at, bytes);
    if (error)
        return uno_io_error("lock", file->path, error);
    if (data->type->layout.plain)
        error = move(file, data->writes, at, (char *)data->at + data->type->pattern.at, bytes, &data->done);
    else
        error = move_by_parts(file, at, data, bytes);
    lock(file, UNO_IO_UNLOCK, at, bytes);
    return uno_io_error(data->writes ? "write" : "read", file->path, error);
}
