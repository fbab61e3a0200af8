/* MPICH's ABI (libmpi.so.12, which Intel's MPI, MVAPICH and Cray's share): handles are int. Two bits tell the
 * class: 01 predefined, 10 one of five types of pairs, 11 made by the program; four more bits tell the kind;
 * the others are, for objects of the program, the number that the core gives each. The values of predefined
 * handles are in table/values.txt. */

#ifndef UNO_MPI_MPICH_H
#define UNO_MPI_MPICH_H

#include "library/calls.h"
#include "library/face/foreign.h"
#include "library/face/handles_mpich.h"
#include "library/face/status_mpich.h"

enum {
    UNO_FACE_USER_ERRORS = 0x40000000 /* behind MPI_ERR_LASTCODE */
};
#define UNO_FACE_CALLED "MPII_Called_from" /* for libraries in front of this one */
#define UNO_FACE_IN_PLACE ((void *)-1)
#define UNO_FACE_BUFFER_AUTOMATIC ((void *)-2)

/* Convert MPI_IN_PLACE and MPI_BUFFER_AUTOMATIC. */
static inline const void *uno_in_buffer(const void *buffer) {
    if (UNO_LIKELY((uintptr_t)buffer < (uintptr_t)UNO_FACE_BUFFER_AUTOMATIC))
        return buffer;
    return buffer == UNO_FACE_IN_PLACE ? MPI_IN_PLACE : MPI_BUFFER_AUTOMATIC;
}
static inline const void *uno_out_buffer(const void *buffer) {
    return buffer == MPI_BUFFER_AUTOMATIC ? UNO_FACE_BUFFER_AUTOMATIC : buffer;
}

static inline const void *uno_face_weights(const void *weights) {
    return weights; /* MPI_UNWEIGHTED is a variable here, and has the standard's value */
}

/* ---- handles ------------------------------------------------------------------------------------------ */

static inline void *uno_face_object(int handle, enum uno_object_kind kind) {
    unsigned number = (unsigned)handle & 0x3ffffff;
    bool user = (unsigned)handle >> 26 == (0x30u | kind);
    struct uno_object *object = UNO_LIKELY(user) ? uno_object_numbered(number) : NULL;
    return object ? object : (void *)UNO_FACE_NO_OBJECT;
}

/* Return the index of a predefined type in the table, by its handle. */
#define UNO_FACE_TYPE_AT(handle) (((handle)&0x7f) | ((handle) >> 24 & 0x80))

extern const int uno_face_number[UNO_FACE_PREDEFINED];

static inline int uno_face_out(const void *handle) {
    if ((uintptr_t)handle < UNO_FACE_PREDEFINED)
        return uno_face_number[(uintptr_t)handle];
    const struct uno_object *object = handle;
    return (int)(0xc0000000u | (unsigned)object->kind << 26 | (unsigned)object->number);
}

#include "library/values_mpich.h"

/* In Fortran a handle is the same number. */
#define UNO_FACE_NUMBERS(kind)                                                                               \
    static inline int uno_number_of_##kind(uno_face_##kind handle) {                                         \
        return handle;                                                                                       \
    }                                                                                                        \
    static inline uno_face_##kind uno_##kind##_of_number(int number) {                                       \
        return number;                                                                                       \
    }
UNO_FACE_NUMBERS(comm)
UNO_FACE_NUMBERS(group)
UNO_FACE_NUMBERS(type)
UNO_FACE_NUMBERS(op)
UNO_FACE_NUMBERS(errhandler)
UNO_FACE_NUMBERS(info)
UNO_FACE_NUMBERS(request)
UNO_FACE_NUMBERS(message)
UNO_FACE_NUMBERS(win)
UNO_FACE_NUMBERS(session)
#undef UNO_FACE_NUMBERS
static inline int uno_number_of_file(uno_face_file handle) {
    return uno_mpi_file_toint(uno_in_file(handle));
}
static inline uno_face_file uno_file_of_number(int number) {
    return uno_out_file(uno_mpi_file_fromint(number));
}

/* ---- statuses ----------------------------------------------------------------------------------------- */

/* Convert MPI_ERROR if the call has set it: calls with several statuses do, and those with an empty one, but
 * no others. */
static inline void uno_out_status(const MPI_Status *from, struct uno_face_status *to) {
    MPI_Count bytes;
    memcpy(&bytes, &from->MPI_internal[0], sizeof bytes);
    to->count_lo = (int)(uint32_t)bytes;
    to->count_hi_and_cancelled = (int)((uint32_t)(bytes >> 32) << 1 | (from->MPI_internal[2] != 0));
    to->MPI_SOURCE = uno_out_rank(from->MPI_SOURCE);
    to->MPI_TAG = uno_out_tag(from->MPI_TAG);
    if (from->MPI_ERROR != UNO_INVALID)
        to->MPI_ERROR = uno_out_error(from->MPI_ERROR);
}

static inline void uno_in_status(const struct uno_face_status *from, MPI_Status *to) {
    MPI_Count bytes =
        (MPI_Count)((uint32_t)from->count_hi_and_cancelled >> 1) << 32 | (uint32_t)from->count_lo;
    memcpy(&to->MPI_internal[0], &bytes, sizeof bytes);
    to->MPI_internal[2] = from->count_hi_and_cancelled & 1;
    to->MPI_SOURCE = uno_in_rank(from->MPI_SOURCE);
    to->MPI_TAG = uno_in_tag(from->MPI_TAG);
    to->MPI_ERROR = uno_in_error(from->MPI_ERROR);
}

#endif
