/* The data of a call that reads or writes. */

#ifndef UNO_MPI_FILE_DATA_H
#define UNO_MPI_FILE_DATA_H

#include "library/type/type.h"

/* Data of the program's, and what has become of them. */
struct uno_io_data {
    void *at;
    MPI_Count count;
    struct uno_mpi_type *type;
    bool writes;
    MPI_Count done; /* bytes that have been moved; fewer than there are if the file has ended */
};

static inline MPI_Count uno_io_bytes(const struct uno_io_data *data) {
    return data->count * (MPI_Count)data->type->layout.size;
}

/* Copy some bytes of the data, from byte `from` on, into packed bytes if they are to be written, otherwise
 * back. */
void uno_io_pack(const struct uno_io_data *data, MPI_Count from, MPI_Count bytes, char *packed);

#endif
