/* The state of a file: its size, its view, its pointers, and what the program has said of it. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library/calls.h"
#include "library/communicator/node.h"
#include "library/file/blocks.h"
#include "library/file/memory.h"
#include "library/file/representation.h"
#include "library/object/info.h"

/* ---- size ---------------------------------------------------------------------------------------------- */

int uno_mpi_file_get_size(struct uno_mpi_file *file, MPI_Offset *size) {
    struct stat s;
    if (fstat(file->fd, &s))
        return uno_io_error("look at", file->path, errno);
    *size = s.st_size;
    return MPI_SUCCESS;
}

/* Check that all ranks have brought the same number; all call it. */
static int check_same(struct uno_mpi_file *file, const char *name, MPI_Offset number, int error) {
    uint64_t mine = (uint64_t)number, all[UNO_MAX_PES];
    error = uno_io_agree(file, error);
    error = error ? error : uno_io_meet(file, &mine, all, 1);
    for (int r = 0; r < uno_io_ranks(file)->size && !error; r++)
        if (all[r] != mine)
            error = uno_error(MPI_ERR_NOT_SAME, "%s is %lld here, and %lld at rank %d", name,
                              (long long)number, (long long)all[r], r);
    return error;
}

static int check_resize(struct uno_mpi_file *file, MPI_Offset size) {
    int error = uno_io_may(file, true, file->amode & MPI_MODE_SEQUENTIAL);
    if (!error && file->amode & MPI_MODE_SEQUENTIAL)
        error =
            uno_error(MPI_ERR_UNSUPPORTED_OPERATION, "%s was opened with MPI_MODE_SEQUENTIAL", file->path);
    if (!error && size < 0)
        error = uno_error(MPI_ERR_ARG, "size is %lld", (long long)size);
    return check_same(file, "size", size, error);
}

int uno_mpi_file_set_size(struct uno_mpi_file *file, MPI_Offset size) {
    int error = check_resize(file, size);
    if (error)
        return error;
    if (uno_io_ranks(file)->rank == 0 && ftruncate(file->fd, size))
        error = uno_io_error("set the size of", file->path, errno);
    return uno_io_agree(file, error);
}

int uno_mpi_file_preallocate(struct uno_mpi_file *file, MPI_Offset size) {
    int error = check_resize(file, size);
    if (error)
        return error;
    if (uno_io_ranks(file)->rank == 0 && size)
        error = uno_io_error("allocate", file->path, posix_fallocate(file->fd, 0, size));
    return uno_io_agree(file, error);
}

int uno_mpi_file_sync(struct uno_mpi_file *file) {
    int error =
        uno_io_agree(file, MPI_SUCCESS); /* what all have written is in the page cache of their node */
    bool apart = uno_comm_apart(file->owner.comm) >= 0;
    if (!error && (apart || uno_io_ranks(file)->rank == 0) && fsync(file->fd) && errno != EINVAL &&
        errno != EROFS)
        error = uno_io_error("bring to the disk", file->path, errno);
    return uno_io_agree(file, error);
}

/* ---- what the program has said ------------------------------------------------------------------------- */

int uno_io_may(const struct uno_mpi_file *file, bool writes, bool shared) {
    if (writes && file->amode & MPI_MODE_RDONLY)
        return uno_error(MPI_ERR_READ_ONLY, "%s was opened with MPI_MODE_RDONLY", file->path);
    if (!writes && file->amode & MPI_MODE_WRONLY)
        return uno_error(MPI_ERR_ACCESS, "%s was opened with MPI_MODE_WRONLY", file->path);
    if (!shared && file->amode & MPI_MODE_SEQUENTIAL)
        return uno_error(MPI_ERR_UNSUPPORTED_OPERATION,
                         "%s was opened with MPI_MODE_SEQUENTIAL, which leaves the shared pointer alone",
                         file->path);
    return MPI_SUCCESS;
}

int uno_mpi_file_get_amode(struct uno_mpi_file *file, int *amode) {
    *amode = file->amode;
    return MPI_SUCCESS;
}

int uno_mpi_file_get_group(struct uno_mpi_file *file, MPI_Group *group) {
    return uno_mpi_comm_group(file->owner.comm, group);
}

int uno_mpi_file_set_atomicity(struct uno_mpi_file *file, int flag) {
    int error = check_same(file, "flag", flag != 0, MPI_SUCCESS);
    file->atomic = error ? file->atomic : flag != 0;
    return error;
}

int uno_mpi_file_get_atomicity(struct uno_mpi_file *file, int *flag) {
    *flag = file->atomic;
    return MPI_SUCCESS;
}

int uno_mpi_file_set_info(struct uno_mpi_file *file, struct uno_mpi_info *info) {
    uno_io_hints_take(&file->hints, info);
    return check_same(file, "cb_buffer_size", (MPI_Offset)file->hints.part, MPI_SUCCESS);
}

int uno_mpi_file_get_info(struct uno_mpi_file *file, MPI_Info *info_used) {
    *info_used = (MPI_Info)uno_io_hints_tell(&file->hints)->object.handle;
    return MPI_SUCCESS;
}

/* ---- view ---------------------------------------------------------------------------------------------- */

/* Find out if any rank may write in blocks. */
static int find_short(struct uno_mpi_file *file) {
    uint64_t mine = uno_io_is_short(&file->view), all[UNO_MAX_PES];
    int error = uno_io_meet(file, &mine, all, 1);
    file->locks = false;
    for (int r = 0; r < uno_io_ranks(file)->size && !error; r++)
        file->locks = file->locks || all[r];
    return error;
}

int uno_mpi_file_set_view(struct uno_mpi_file *file, MPI_Offset disp, struct uno_mpi_type *etype,
                          struct uno_mpi_type *filetype, const char *datarep, struct uno_mpi_info *info) {
    const struct uno_io_representation *representation = uno_io_representation(datarep);
    bool sequential = file->amode & MPI_MODE_SEQUENTIAL;
    int error = MPI_SUCCESS;
    if (!representation)
        error = uno_error(MPI_ERR_UNSUPPORTED_DATAREP, "datarep is \"%.40s\", which is not known", datarep);
    if (!error && (disp == MPI_DISPLACEMENT_CURRENT) != sequential)
        error = uno_error(sequential ? MPI_ERR_UNSUPPORTED_OPERATION : MPI_ERR_ARG,
                          "disp is %s MPI_DISPLACEMENT_CURRENT, and %s was %sopened with MPI_MODE_SEQUENTIAL",
                          sequential ? "not" : "", file->path, sequential ? "" : "not ");
    error = check_same(file, "the size of etype", (MPI_Offset)etype->layout.size, error);
    if (sequential) {
        disp = uno_io_place(&file->view, uno_io_pointer(file) * file->view.unit);
        error = uno_io_agree(file, error); /* all have looked where it was */
    }
    if (!error)
        error = uno_io_view_set(&file->view, !(file->amode & MPI_MODE_RDONLY), disp, etype, filetype,
                                representation);
    uno_io_hints_take(&file->hints, info);
    file->position = 0;
    uno_io_pointer_set(file, 0);
    error = uno_io_agree(file, error);
    return error ? error : find_short(file);
}

int uno_mpi_file_get_view(struct uno_mpi_file *file, MPI_Offset *disp, MPI_Datatype *etype,
                          MPI_Datatype *filetype, char *datarep) {
    const struct uno_io_view *view = &file->view;
    *disp = view->start;
    *etype = (MPI_Datatype)((struct uno_mpi_type *)uno_object_hold(view->etype))->object.handle;
    *filetype = (MPI_Datatype)((struct uno_mpi_type *)uno_object_hold(view->filetype))->object.handle;
    snprintf(datarep, MPI_MAX_DATAREP_STRING, "%s", uno_io_representation_name(view->representation));
    return MPI_SUCCESS;
}

int uno_mpi_file_get_byte_offset(struct uno_mpi_file *file, MPI_Offset offset, MPI_Offset *disp) {
    if (offset < 0)
        return uno_error(MPI_ERR_ARG, "offset is %lld", (long long)offset);
    *disp = uno_io_place(&file->view, offset * file->view.unit);
    return MPI_SUCCESS;
}

int uno_mpi_file_get_type_extent(struct uno_mpi_file *file, struct uno_mpi_type *datatype,
                                 MPI_Count *extent) {
    return uno_io_extent(file->view.representation, datatype, extent);
}

/* ---- pointers ------------------------------------------------------------------------------------------ */

/* Find the units of the view before the file's end, the last of which may be a part. */
static int end_of(struct uno_mpi_file *file, MPI_Offset *units) {
    MPI_Offset size;
    int error = uno_mpi_file_get_size(file, &size);
    if (!error)
        *units = (uno_io_before(&file->view, size) + file->view.unit - 1) / file->view.unit;
    return error;
}

/* Find where a pointer goes that was at *to. */
static int seek(struct uno_mpi_file *file, MPI_Offset offset, int whence, MPI_Offset *to) {
    int error = MPI_SUCCESS;
    if (whence == MPI_SEEK_SET)
        *to = 0;
    else if (whence == MPI_SEEK_END)
        error = end_of(file, to);
    else if (whence != MPI_SEEK_CUR)
        error = uno_error(MPI_ERR_ARG, "whence is %d, which is none", whence);
    if (!error && *to + offset < 0)
        error = uno_error(MPI_ERR_ARG, "the pointer would go to %lld", (long long)(*to + offset));
    *to += error ? 0 : offset;
    return error;
}

int uno_mpi_file_seek(struct uno_mpi_file *file, MPI_Offset offset, int whence) {
    MPI_Offset to = file->position / file->view.unit;
    int error = uno_io_may(file, file->amode & MPI_MODE_WRONLY, false);
    error = error ? error : seek(file, offset, whence, &to);
    if (!error)
        file->position = to * file->view.unit;
    return error;
}

int uno_mpi_file_seek_shared(struct uno_mpi_file *file, MPI_Offset offset, int whence) {
    int error = check_same(file, "whence", whence, MPI_SUCCESS);
    error = check_same(file, "offset", offset, error);
    MPI_Offset to = uno_io_pointer(file);
    error = error ? error : seek(file, offset, whence, &to);
    error = uno_io_agree(file, error); /* all have looked where it was */
    if (!error)
        uno_io_pointer_set(file, to);
    return error ? error : uno_io_agree(file, MPI_SUCCESS);
}

int uno_io_append(struct uno_mpi_file *file) {
    MPI_Offset end = 0;
    int error = end_of(file, &end);
    file->position = end * file->view.unit;
    if (!error)
        uno_io_pointer_set(file, end);
    return uno_io_agree(file, error);
}

int uno_mpi_file_get_position(struct uno_mpi_file *file, MPI_Offset *offset) {
    *offset = file->position / file->view.unit;
    return uno_io_may(file, file->amode & MPI_MODE_WRONLY, false);
}

int uno_mpi_file_get_position_shared(struct uno_mpi_file *file, MPI_Offset *offset) {
    *offset = uno_io_pointer(file);
    return MPI_SUCCESS;
}
