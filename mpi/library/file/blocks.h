/* Many short runs of a file, moved in blocks that contain them. */

#ifndef UNO_MPI_FILE_BLOCKS_H
#define UNO_MPI_FILE_BLOCKS_H

#include "library/file/file.h"

/* Return true if the runs of a view are so short that they are moved in blocks. */
bool uno_io_is_short(const struct uno_io_view *view);

/* Move packed bytes in blocks. *done: the bytes that have been moved. Returns 0 or an errno; ENOLCK: runs
 * cannot be written so. */
int uno_io_blocks_read(struct uno_mpi_file *file, MPI_Offset at, char *memory, MPI_Count bytes,
                       MPI_Count *done);
int uno_io_blocks_write(struct uno_mpi_file *file, MPI_Offset at, const char *memory, MPI_Count bytes,
                        MPI_Count *done);

#endif
