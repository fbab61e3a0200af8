/* The hints of a file that this library knows. */

#ifndef UNO_MPI_FILE_HINTS_H
#define UNO_MPI_FILE_HINTS_H

#include <stdbool.h>
#include <stddef.h>

struct uno_mpi_info;

/* When the ranks of a collective operation exchange data, instead of each moving its own. */
enum uno_io_exchange { UNO_IO_AUTOMATIC, UNO_IO_ALWAYS, UNO_IO_NEVER };

struct uno_io_hints {
    size_t part;                      /* bytes of the window for each rank: cb_buffer_size */
    enum uno_io_exchange read, write; /* romio_cb_read, romio_cb_write */
    unsigned mode; /* permissions of a file that is made, without those of the umask: file_perm */
};

void uno_io_hints_start(struct uno_io_hints *hints);

/* Take over the hints of info; NULL: there are none. A value that is none is ignored, as MPI says. */
void uno_io_hints_take(struct uno_io_hints *hints, const struct uno_mpi_info *info);

/* Return a new info object with the hints. */
struct uno_mpi_info *uno_io_hints_tell(const struct uno_io_hints *hints);

#endif
