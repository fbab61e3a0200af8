/* MPICH's ABI, for the recording of calls. */

#ifndef UNO_SEEN_ABI_TYPES_H
#define UNO_SEEN_ABI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

typedef int uno_face_comm, uno_face_group, uno_face_type, uno_face_op, uno_face_errhandler, uno_face_info,
    uno_face_request, uno_face_message, uno_face_win, uno_face_session;
typedef void *uno_face_file;

struct uno_face_status {
    int count_lo, count_hi_and_cancelled;
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
};

typedef struct uno_face_status uno_seen_status;

#define UNO_SEEN_GIVEN(status) ((uintptr_t)(status) > 1)
#define UNO_SEEN_PLACE ((void *)-1)

#endif
