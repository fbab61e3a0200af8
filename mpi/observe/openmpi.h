/* Open MPI's ABI, for the recording of calls. */

#ifndef UNO_SEEN_ABI_TYPES_H
#define UNO_SEEN_ABI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

typedef void *uno_face_comm, *uno_face_group, *uno_face_type, *uno_face_op, *uno_face_errhandler,
    *uno_face_info, *uno_face_request, *uno_face_message, *uno_face_win, *uno_face_session, *uno_face_file;

struct uno_face_status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int cancelled;
    size_t bytes;
};

typedef struct uno_face_status uno_seen_status;

#define UNO_SEEN_GIVEN(status) ((status) != NULL)
#define UNO_SEEN_PLACE MPI_IN_PLACE

#endif
