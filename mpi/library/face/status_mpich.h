/* The status in MPICH's ABI, as programs in C have it. */

#ifndef UNO_MPI_STATUS_MPICH_H
#define UNO_MPI_STATUS_MPICH_H

#include <stddef.h>
#include <stdint.h>

struct uno_face_status {
    int count_lo, count_hi_and_cancelled; /* bytes; the lowest bit of the upper half: it was cancelled */
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
};

/* True if the program wants a status: it is not MPI_STATUS_IGNORE. */
#define UNO_FACE_GIVEN(status) ((uintptr_t)(status) > 1)

#endif
