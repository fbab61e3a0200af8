/* A block that is written has been read, changed, and written back, which would undo what others write
 * between its runs meanwhile. So it is locked, and while any rank's view has short runs, the others lock what
 * they write, too (alone.c). A mapping of the file would need no lock, but stores to a page are lost in some
 * file systems while another process makes the file longer. */

#include "library/file/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "engine/bytes.h"
#include "library/file/lock.h"

enum {
    SHORT = 4096,       /* bytes of a run for which a system call of its own is too much */
    BLOCK = 512 * 1024, /* bytes of a block */
    SPARSE = 64,        /* runs of which only one byte in so many is data, are not worth blocks */
};

/* A walk over the runs, beside packed data in memory. */
struct walk {
    struct uno_mpi_file *file;
    char *memory;
    int error;
    MPI_Count done;
    char *block;
    MPI_Offset begin, end; /* the place of the block */
    MPI_Offset from, to;   /* what has been changed */
};

bool uno_io_is_short(const struct uno_io_view *view) {
    return view->ordered && !view->whole && view->runs && view->bytes / view->runs < SHORT &&
           view->bytes > view->extent / SPARSE;
}

static void open_block(struct walk *w) {
    w->block = uno_base_allocate(BLOCK, 1);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool read_block(struct walk *w, MPI_Offset at) {
    size_t got;
    w->begin = at;
    w->error = -uno_file_get(w->file->fd, w->block, BLOCK, (uint64_t)at, &got);
    w->end = at + (MPI_Offset)got;
    return !w->error && got;
}

static bool pick(void *context, MPI_Count at, MPI_Count bytes) {
    struct walk *w = context;
    while (bytes) {
        if (at >= w->end && !read_block(w, at))
            return false;
        MPI_Count some = uno_io_least(bytes, w->end - at);
        memcpy(w->memory, w->block + (at - w->begin), (size_t)some);
        w->memory += some;
        w->done += some;
        at += some;
        bytes -= some;
    }
    return true;
}

int uno_io_blocks_read(struct uno_mpi_file *file, MPI_Offset at, char *memory, MPI_Count bytes,
                       MPI_Count *done) {
    struct walk w = {.file = file, .memory = memory};
    open_block(&w);
    uno_io_runs(&file->view, at, bytes, pick, &w);
    free(w.block);
    *done = w.done;
    return w.error;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Write back what has been changed. */
static void close_block(struct walk *w) {
    if (w->begin == w->end)
        return;
    int error = uno_file_put(w->file->fd, w->block + (w->from - w->begin), (size_t)(w->to - w->from),
                             (uint64_t)w->from);
    w->error = w->error ? w->error : -error;
    if (!w->file->atomic)
        uno_io_lock(w->file, UNO_IO_UNLOCK, w->begin, w->end - w->begin);
    w->begin = w->end = 0;
}

static bool next_block(struct walk *w, MPI_Offset at) {
    size_t got;
    close_block(w);
    if (!w->error && !w->file->atomic && uno_io_lock(w->file, UNO_IO_LOCK_ALONE, at, BLOCK))
        w->error = ENOLCK;
    if (w->error)
        return false;
    w->begin = w->from = at;
    w->end = at + BLOCK;
    w->error = -uno_file_get(w->file->fd, w->block, BLOCK, (uint64_t)at, &got);
    memset(w->block + got, 0, BLOCK - got);
    return !w->error;
}

static bool put(void *context, MPI_Count at, MPI_Count bytes) {
    struct walk *w = context;
    while (bytes) {
        if (at >= w->end && !next_block(w, at))
            return false;
        MPI_Count some = uno_io_least(bytes, w->end - at);
        memcpy(w->block + (at - w->begin), w->memory, (size_t)some);
        w->memory += some;
        w->done += some;
        at += some;
        bytes -= some;
        w->to = at;
    }
    return true;
}

int uno_io_blocks_write(struct uno_mpi_file *file, MPI_Offset at, const char *memory, MPI_Count bytes,
                        MPI_Count *done) {
    struct walk w = {.file = file, .memory = (char *)memory};
    open_block(&w);
    uno_io_runs(&file->view, at, bytes, put, &w);
    close_block(&w);
    free(w.block);
    *done = w.error ? 0 : w.done;
    return w.error;
}
