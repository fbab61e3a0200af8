/* p_read, p_write and p_seek. */

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "engine/bytes.h"
#include "window.h"

static void check_data(struct uno_pe *pe, enum uno_file_op op, const void *data, size_t bytes) {
    if (UNO_UNLIKELY(!data && bytes))
        uno_fail(pe, "%s: a null pointer for data", uno_file_name(op));
}

/* Meet about parts of so many bytes, of which this PE has received, or brings, `bytes`. */
static struct uno_file_seen meet(struct uno_pe *pe, enum uno_file_op op, struct uno_file *file, size_t bytes,
                                 size_t wanted, int error) {
    struct uno_file_told told = {.id = file->id, .bytes = bytes, .wanted = wanted, .error = (uint64_t)error};
    return uno_file_meet(pe, op, &told, NULL);
}

/* Meet for the first time in an operation: an earlier write that was put off may turn out to have failed. */
static struct uno_file_seen begin(struct uno_pe *pe, enum uno_file_op op, struct uno_file *file,
                                  size_t bytes) {
    struct uno_file_seen seen = meet(pe, op, file, bytes, bytes, file->window.error);
    if (UNO_UNLIKELY(seen.error && !file->error)) {
        file->error = seen.error;
        file->culprit = seen.culprit;
    }
    return seen;
}

static int write_failed(struct uno_pe *pe, const struct uno_file *file) {
    return uno_file_failed(pe, file->path, "write it", file->error, file->culprit);
}

int64_t p_write(int number, const void *data, size_t bytes) {
    struct uno_pe *pe = uno_file_pe(UNO_P_WRITE);
    struct uno_file *file = uno_file_of(pe, UNO_P_WRITE, number);
    check_data(pe, UNO_P_WRITE, data, bytes);
    struct uno_file_seen pieces = begin(pe, UNO_P_WRITE, file, bytes);
    if (UNO_UNLIKELY(file->error))
        return write_failed(pe, file);
    if (UNO_UNLIKELY(!file->writes))
        return uno_file_failed(pe, file->path, "write it", EBADF, pe->group.first);
    if (UNO_UNLIKELY(pieces.all > INT64_MAX - file->at))
        return uno_file_failed(pe, file->path, "write it", EFBIG, pe->group.first);
    if (uno_window_takes(pe, file, &pieces)) {
        uno_window_write(pe, file, data, &pieces);
    } else {
        uno_window_flush(pe, file);
        int error = file->window.error;
        if (!error)
            error = -uno_file_put(file->fd, data, bytes, file->at + pieces.before);
        struct uno_file_seen written = meet(pe, UNO_P_WRITE, file, bytes, bytes, error);
        file->error = written.error;
        file->culprit = written.culprit;
        if (file->error)
            return write_failed(pe, file);
    }
    file->at += pieces.all;
    return (int64_t)bytes;
}

/* Write the window to the file, and tell every member. Return true if that has succeeded. */
static bool settle(struct uno_pe *pe, enum uno_file_op op, struct uno_file *file) {
    if (file->window.dirty) {
        uno_window_flush(pe, file);
        begin(pe, op, file, 0);
    }
    return !file->error;
}

int64_t p_read(int number, void *data, size_t bytes) {
    struct uno_pe *pe = uno_file_pe(UNO_P_READ);
    struct uno_file *file = uno_file_of(pe, UNO_P_READ, number);
    check_data(pe, UNO_P_READ, data, bytes);
    struct uno_file_seen pieces = begin(pe, UNO_P_READ, file, bytes), read;
    if (UNO_UNLIKELY(file->error || !settle(pe, UNO_P_READ, file)))
        return write_failed(pe, file);
    if (UNO_UNLIKELY(pieces.all > INT64_MAX - file->at))
        return uno_file_failed(pe, file->path, "read it", EOVERFLOW, pe->group.first);
    if (uno_window_takes(pe, file, &pieces)) {
        uno_window_read(pe, file, data, &pieces, &read);
    } else {
        size_t got;
        int error = -uno_file_get(file->fd, data, bytes, file->at + pieces.before, &got);
        read = meet(pe, UNO_P_READ, file, got, bytes, error);
    }
    if (UNO_UNLIKELY(read.error))
        return uno_file_failed(pe, file->path, "read it", read.error, read.culprit);
    file->at += read.all;
    return (int64_t)read.mine;
}

int64_t p_seek(int number, int64_t offset, int whence) {
    static const char different[] = "go to different places";
    struct uno_pe *pe = uno_file_pe(UNO_P_SEEK);
    struct uno_file *file = uno_file_of(pe, UNO_P_SEEK, number);
    if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END)
        uno_fail(pe, "p_seek: %d is none of SEEK_SET, SEEK_CUR and SEEK_END", whence);
    struct uno_file_told told = {.id = file->id,
                                 .same = (uint64_t)offset ^ (uint64_t)whence << 62,
                                 .error = (uint64_t)file->window.error};
    struct uno_file_seen seen = uno_file_meet(pe, UNO_P_SEEK, &told, different);
    uint64_t from = whence == SEEK_CUR ? file->at : 0;
    if (!seen.error && !file->error && (file->window.dirty || whence == SEEK_END)) {
        uno_window_flush(pe, file);
        told.error = (uint64_t)file->window.error;
        if (pe->group.rank == 0 && whence == SEEK_END && !told.error) {
            off_t end = lseek(file->fd, 0, SEEK_END);
            told.given = end < 0 ? 0 : (uint64_t)end;
        }
        seen = uno_file_meet(pe, UNO_P_SEEK, &told, different);
        from += seen.given;
    }
    if (seen.error && !file->error) {
        file->error = seen.error;
        file->culprit = seen.culprit;
    }
    if (file->error)
        return write_failed(pe, file);
    if (offset < 0 ? -(uint64_t)offset > from : (uint64_t)offset > INT64_MAX - from)
        return uno_file_failed(pe, file->path, "go there", EINVAL, pe->group.first);
    file->at = from + (uint64_t)offset;
    return (int64_t)file->at;
}
