/* The status in Open MPI's ABI, as programs in C have it. */

#ifndef UNO_MPI_STATUS_OPENMPI_H
#define UNO_MPI_STATUS_OPENMPI_H

#include <stddef.h>

struct uno_face_status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int cancelled;
    size_t bytes;
};

/* True if the program wants a status: it is not MPI_STATUS_IGNORE. */
#define UNO_FACE_GIVEN(status) ((status) != NULL)

#endif
