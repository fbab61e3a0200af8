/* The standard's ABI, for the recording of calls. */

#ifndef UNO_SEEN_ABI_TYPES_H
#define UNO_SEEN_ABI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

typedef MPI_Status uno_seen_status;
typedef MPI_Comm uno_face_comm;
typedef MPI_Group uno_face_group;
typedef MPI_Datatype uno_face_type;

#define UNO_FACE_GIVEN(status) ((status) != NULL)
#define UNO_SEEN_CALLED_FROM "uno_called_from" /* of Unisono's MPI library */
#define UNO_SEEN_PLACE MPI_IN_PLACE

#endif
