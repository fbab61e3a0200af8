/* Open MPI's ABI (libmpi.so.40, of Open MPI 4 and 5): a handle is an address, either of an object of the core
 * or of an exported variable for a predefined object. Both begin with the handle of the standard's ABI, so a
 * program may also have a copy of the variable. The variables are listed in table/values.txt. */

#ifndef UNO_MPI_OPENMPI_H
#define UNO_MPI_OPENMPI_H

#include "library/calls.h"
#include "library/face/foreign.h"
#include "library/face/handles_openmpi.h"
#include "library/face/status_openmpi.h"

enum {
    UNO_FACE_USER_ERRORS = 93, /* above MPI_ERR_LASTCODE */
    UNO_FACE_OBJECT_NAME = 64, /* bytes of the longest strings, with the 0 at the end */
    UNO_FACE_ERROR_STRING = 256
};
#define UNO_FACE_CALLED "ompi_called_from" /* for libraries in front of this one */
#define UNO_FACE_UNWEIGHTED ((void *)2)
#define UNO_FACE_WEIGHTS_EMPTY ((void *)3)

/* MPI_IN_PLACE has the standard's value. */
static inline const void *uno_in_buffer(const void *buffer) {
    return buffer;
}
static inline const void *uno_out_buffer(const void *buffer) {
    return buffer;
}

static inline const void *uno_face_weights(const void *weights) {
    if (weights == UNO_FACE_UNWEIGHTED)
        return MPI_UNWEIGHTED;
    return weights == UNO_FACE_WEIGHTS_EMPTY ? MPI_WEIGHTS_EMPTY : weights;
}

/* Copy a string, cut to its room, and its length to the program. */
static inline void uno_face_cut(char *to, const char *from, size_t room, int *length) {
    size_t n = strnlen(from, room - 1);
    memcpy(to, from, n);
    to[n] = 0;
    *length = (int)n;
}

/* ---- handles ------------------------------------------------------------------------------------------ */

extern void *const uno_face_object[UNO_FACE_PREDEFINED];
extern const short uno_face_fortran[UNO_FACE_PREDEFINED];

static inline void *uno_face_in(const void *handle) {
    return UNO_LIKELY(handle != NULL) ? *(void *const *)handle : (void *)UNO_FACE_NO_OBJECT;
}

static inline void *uno_face_out(const void *handle) {
    return (uintptr_t)handle < UNO_FACE_PREDEFINED ? uno_face_object[(uintptr_t)handle] : (void *)handle;
}

#include "library/values_openmpi.h"

/* ---- statuses ----------------------------------------------------------------------------------------- */

/* Convert MPI_ERROR if the call has set it: calls with several statuses do, and those with an empty one, but
 * no others. */
static inline void uno_out_status(const MPI_Status *from, struct uno_face_status *to) {
    MPI_Count bytes;
    memcpy(&bytes, &from->MPI_internal[0], sizeof bytes);
    to->bytes = (size_t)bytes;
    to->cancelled = from->MPI_internal[2];
    to->MPI_SOURCE = uno_out_rank(from->MPI_SOURCE);
    to->MPI_TAG = uno_out_tag(from->MPI_TAG);
    if (from->MPI_ERROR != UNO_INVALID)
        to->MPI_ERROR = uno_out_error(from->MPI_ERROR);
}

static inline void uno_in_status(const struct uno_face_status *from, MPI_Status *to) {
    MPI_Count bytes = (MPI_Count)from->bytes;
    memcpy(&to->MPI_internal[0], &bytes, sizeof bytes);
    to->MPI_internal[2] = from->cancelled;
    to->MPI_SOURCE = uno_in_rank(from->MPI_SOURCE);
    to->MPI_TAG = uno_in_tag(from->MPI_TAG);
    to->MPI_ERROR = uno_in_error(from->MPI_ERROR);
}

#endif
