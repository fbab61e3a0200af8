#define _GNU_SOURCE /* F_OFD_SETLKW */
#include "library/file/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int uno_io_lock(const struct uno_mpi_file *file, enum uno_io_lock kind, MPI_Offset at, MPI_Offset bytes) {
    /* a file that may not be read cannot be locked with others */
    short with = file->reads ? F_RDLCK : F_WRLCK;
    struct flock range = {.l_type = kind == UNO_IO_UNLOCK       ? F_UNLCK
                                    : kind == UNO_IO_LOCK_ALONE ? F_WRLCK
                                                                : with,
                          .l_whence = SEEK_SET,
                          .l_start = at,
                          .l_len = bytes};
    while (fcntl(file->fd, F_OFD_SETLKW, &range))
        if (errno != EINTR)
            return errno;
    return 0;
}
