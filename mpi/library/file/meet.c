/* The errors of a file, and the meetings of its ranks. */

#include <errno.h>
#include <string.h>

#include "library/blocking/collectives.h"
#include "library/calls.h"
#include "library/file/file.h"
#include "library/type/predefined.h"

/* ---- errors -------------------------------------------------------------------------------------------- */

static int class_of(int error) {
    static const struct {
        int error, class;
    } classes[] = {
        {ENOENT, MPI_ERR_NO_SUCH_FILE},   {EACCES, MPI_ERR_ACCESS},      {EPERM, MPI_ERR_ACCESS},
        {EROFS, MPI_ERR_READ_ONLY},       {EEXIST, MPI_ERR_FILE_EXISTS}, {ENOSPC, MPI_ERR_NO_SPACE},
        {EDQUOT, MPI_ERR_QUOTA},          {EISDIR, MPI_ERR_BAD_FILE},    {ENOTDIR, MPI_ERR_BAD_FILE},
        {ENAMETOOLONG, MPI_ERR_BAD_FILE}, {ELOOP, MPI_ERR_BAD_FILE},     {ETXTBSY, MPI_ERR_FILE_IN_USE},
        {EBUSY, MPI_ERR_FILE_IN_USE},     {ENOMEM, MPI_ERR_NO_MEM},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].error == error)
            return classes[i].class;
    return MPI_ERR_IO;
}

int uno_io_error(const char *what, const char *path, int error) {
    return error ? uno_error(class_of(error), "cannot %s %s: %s", what, path, strerror(error)) : MPI_SUCCESS;
}

int uno_io_another(int error) {
    return uno_error(error, "another rank of the file has failed");
}

/* ---- meetings ------------------------------------------------------------------------------------------ */

int uno_io_meet(struct uno_mpi_file *file, const uint64_t *mine, uint64_t *all, int numbers) {
    struct uno_mpi_type *type = uno_find_type(MPI_UINT64_T);
    return UNO_AMONG(file->owner.comm, allgather)(mine, numbers, type, all, numbers, type, file->owner.comm);
}

int uno_io_agree(struct uno_mpi_file *file, int error) {
    uint64_t mine = (uint64_t)error, all[UNO_MAX_PES];
    int failed = uno_io_meet(file, &mine, all, 1);
    if (error || failed)
        return error ? error : failed;
    for (int r = 0; r < uno_io_ranks(file)->size; r++)
        if (all[r])
            return uno_io_another((int)all[r]);
    return MPI_SUCCESS;
}
