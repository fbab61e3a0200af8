/* Locks of a part of a file, by the kernel: the ranks of a file exclude each other, and other programs that
 * ask. */

#ifndef UNO_MPI_FILE_LOCK_H
#define UNO_MPI_FILE_LOCK_H

#include "library/file/file.h"

/* Take a lock, alone or with others, or give it back. bytes: 0 is all that comes. Returns 0 or an errno. */
enum uno_io_lock { UNO_IO_UNLOCK, UNO_IO_LOCK_WITH_OTHERS, UNO_IO_LOCK_ALONE };
int uno_io_lock(const struct uno_mpi_file *file, enum uno_io_lock kind, MPI_Offset at, MPI_Offset bytes);

#endif
