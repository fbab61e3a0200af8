/* Open MPI's ABI, for the recording of calls. */

#ifndef UNO_SEEN_ABI_TYPES_H
#define UNO_SEEN_ABI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "library/face/handles_openmpi.h"
#include "library/face/status_openmpi.h"
#include "mpi.h"

typedef struct uno_face_status uno_seen_status;

#define UNO_SEEN_CALLED_FROM "ompi_called_from" /* of Unisono's MPI library */
#define UNO_SEEN_PLACE MPI_IN_PLACE

#endif
