/* Opening, closing and deleting files. The first rank makes a file that is not there; the others open it when
 * it is. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/derived/agree.h"
#include "library/file/memory.h"
#include "library/file/representation.h"
#include "library/type/predefined.h"

/* ---- opening ------------------------------------------------------------------------------------------- */

static int check_amode(int amode) {
    int ways = amode & (MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY);
    if (ways != MPI_MODE_RDONLY && ways != MPI_MODE_RDWR && ways != MPI_MODE_WRONLY)
        return uno_error(MPI_ERR_AMODE,
                         "amode has not one of MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR");
    if (ways == MPI_MODE_RDONLY && amode & (MPI_MODE_CREATE | MPI_MODE_EXCL))
        return uno_error(MPI_ERR_AMODE, "amode has MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY");
    if (ways == MPI_MODE_RDWR && amode & MPI_MODE_SEQUENTIAL)
        return uno_error(MPI_ERR_AMODE, "amode has MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR");
    return MPI_SUCCESS;
}

/* Return the path in a name of MPI's, which may begin with the kind of its file system. */
static const char *path_of(const char *filename) {
    static const char *const kinds[] = {"ufs:", "nfs:", "file:"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(filename, kinds[i], strlen(kinds[i])) == 0)
            return filename + strlen(kinds[i]);
    return filename;
}

/* Open the system's file. A file that is only written is opened for reading, too, if that is allowed. Returns
 * an errno. */
static int open_here(struct uno_mpi_file *file, bool makes) {
    int amode = file->amode, flags = O_CLOEXEC;
    if (makes && amode & MPI_MODE_CREATE)
        flags |= O_CREAT | (amode & MPI_MODE_EXCL ? O_EXCL : 0);
    bool only = amode & MPI_MODE_WRONLY;
    file->reads = true;
    file->fd = open(file->path, flags | (amode & MPI_MODE_RDONLY ? O_RDONLY : O_RDWR), file->hints.mode);
    if (file->fd < 0 && only && errno == EACCES) {
        file->reads = false;
        file->fd = open(file->path, flags | O_WRONLY, file->hints.mode);
    }
    struct stat s;
    if (file->fd >= 0 && fstat(file->fd, &s) == 0 && S_ISDIR(s.st_mode))
        return EISDIR;
    return file->fd < 0 ? errno : 0;
}

static int open_everywhere(struct uno_mpi_file *file, int error) {
    bool first = uno_io_ranks(file)->rank == 0;
    uint64_t mine = (uint64_t)file->amode, all[UNO_MAX_PES];
    error = error ? error : check_amode(file->amode);
    if (!error && first)
        error = uno_io_error("open", file->path, open_here(file, true));
    error = uno_io_agree(file, error);
    error = error ? error : uno_io_meet(file, &mine, all, 1);
    for (int r = 0; r < uno_io_ranks(file)->size && !error; r++)
        if (all[r] != mine)
            error = uno_error(MPI_ERR_NOT_SAME, "amode is %d here, and %d at rank %d", file->amode,
                              (int)all[r], r);
    if (!error && !first)
        error = uno_io_error("open", file->path, open_here(file, false));
    error = uno_io_agree(file, error);
    return error ? error : uno_io_memory_make(file);
}

static void release(void *object) {
    struct uno_mpi_file *file = object;
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    uno_io_view_drop(&file->view);
    uno_object_drop(file->owner.errhandler);
    uno_object_drop(file->owner.comm);
}

/* The communicator of the file's own, whose name is the file's in reports. */
static struct uno_mpi_comm *own_comm(struct uno_mpi_comm *comm, const char *path) {
    struct uno_mpi_comm *own = uno_comm_own(comm);
    enum { SHOWN = MPI_MAX_OBJECT_NAME / 2 };
    size_t length = strlen(path);
    if (own)
        snprintf(own->name, sizeof own->name, "file %s", path + (length > SHOWN ? length - SHOWN : 0));
    return own;
}

int uno_mpi_file_open(struct uno_mpi_comm *comm, const char *filename, int amode, struct uno_mpi_info *info,
                      MPI_File *fh) {
    const char *path = path_of(filename);
    *fh = MPI_FILE_NULL;
    struct uno_mpi_comm *own = own_comm(comm, path);
    if (!own)
        return uno_comm_no_id();
    struct uno_mpi_file *file = uno_object_make(UNO_FILE, sizeof *file, 0, release);
    file->owner.comm = own;
    file->owner.errhandler = uno_object_hold(uno_rank->no_file);
    file->fd = -1;
    file->amode = amode;
    file->path = uno_base_allocate(strlen(path) + 1, 1);
    strcpy(file->path, path);
    uno_io_hints_start(&file->hints);
    uno_io_hints_take(&file->hints, info);
    struct uno_mpi_type *bytes = uno_find_type(MPI_BYTE);
    uno_io_view_set(&file->view, false, 0, bytes, bytes, uno_io_representation("native"));
    int error = open_everywhere(file, MPI_SUCCESS);
    if (error) {
        uno_object_drop(file);
        return error;
    }
    if (amode & MPI_MODE_APPEND)
        error = uno_io_append(file);
    *fh = (MPI_File)file->owner.object.handle;
    return error;
}

/* ---- closing ------------------------------------------------------------------------------------------- */

int uno_mpi_file_close(MPI_File *fh) {
    struct uno_mpi_file *file = uno_find_file(*fh);
    if (!file)
        return uno_error(MPI_ERR_FILE, "fh is no file");
    int error = uno_io_agree(file, MPI_SUCCESS); /* until all have done what they do with it */
    if (!error && file->amode & MPI_MODE_DELETE_ON_CLOSE && uno_io_ranks(file)->rank == 0 &&
        unlink(file->path))
        error = uno_io_error("delete", file->path, errno);
    if (file->amode & MPI_MODE_DELETE_ON_CLOSE)
        error = uno_io_agree(file, error);
    uno_io_memory_free(file);
    uno_object_drop(file);
    *fh = MPI_FILE_NULL;
    return error;
}

int uno_mpi_file_delete(const char *filename, struct uno_mpi_info *info) {
    const char *path = path_of(filename);
    (void)info;
    return uno_io_error("delete", path, unlink(path) ? errno : 0);
}
