/* Helpers for the entries of any ABI other than the standard's. */

#ifndef UNO_MPI_FOREIGN_H
#define UNO_MPI_FOREIGN_H

#include <limits.h>
#include <stdlib.h>

#include "collective/base.h"
#include "library/face/check.h"
#include "library/message/requests.h"
#include "library/rank/face.h"

/* Define a function of the ABI: PMPI_name, with MPI_name weak over it. Its name in C is different, since
 * mpi.h has the standard's prototype for that. */
#define UNO_FACE(result, name, parameters)                                                                   \
    __attribute__((visibility("default"))) result face_##name parameters __asm__("PMPI_" #name);             \
    result weak_##name parameters __asm__("MPI_" #name)                                                      \
        __attribute__((weak, alias("PMPI_" #name), visibility("default")));                                  \
    result face_##name parameters

/* Define another name for a function, with MPI_ or MPIX_ before it. */
#define UNO_FACE_SAME(name, as)                                                                              \
    __typeof__(face_##as) same_##name __asm__("P" #name)                                                     \
        __attribute__((alias("PMPI_" #as), visibility("default")));                                          \
    __typeof__(face_##as) weak_##name __asm__(#name)                                                         \
        __attribute__((weak, alias("PMPI_" #as), visibility("default")));

/* Define a function of that name that is no part of the standard and reports that it does not exist. */
#define UNO_FACE_NONE(name)                                                                                  \
    __attribute__((visibility("default"))) int none_##name(void) __asm__(#name);                             \
    int none_##name(void) {                                                                                  \
        return uno_face.error(uno_call_unsupported(#name, NULL, MPI_COMM_SELF));                             \
    }

/* The value of numbers that have a meaning in the standard's ABI alone. */
enum { UNO_INVALID = INT_MIN };

enum {
    UNO_FACE_NO_OBJECT = 1,     /* a handle of no object, in the standard's ABI */
    UNO_FACE_PREDEFINED = 0x300 /* the standard's numbers of predefined objects are below this */
};

/* Prepare a status that a call fills in and may leave without MPI_ERROR. */
static inline void uno_status_unset(MPI_Status *status) {
    *status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = UNO_INVALID};
}

/* Arrays in the standard's ABI, beside the program's arrays for the time of a call. */
enum { UNO_FEW = 64 };
static inline void *uno_beside(void *few, long count, size_t size) {
    return count <= UNO_FEW ? few : uno_base_allocate((size_t)count, size);
}
static inline void uno_beside_end(void *all, void *few) {
    if (all != few)
        free(all);
}

/* Return true if an item of a long array, in the standard's ABI, is a valid one of its kind. */
static inline bool uno_face_is_request(MPI_Request request) {
    return request == MPI_REQUEST_NULL || uno_find_request(request);
}
static inline bool uno_face_is_type(MPI_Datatype type) {
    return uno_find_type(type) != NULL;
}
static inline bool uno_face_is_rank(int rank) {
    return rank >= 0 || rank == MPI_PROC_NULL;
}
static inline bool uno_face_is_distribution(int way) {
    return way == MPI_DISTRIBUTE_BLOCK || way == MPI_DISTRIBUTE_CYCLIC || way == MPI_DISTRIBUTE_NONE;
}

/* Return the lengths of arrays of types: the ranks on the other side of a communicator, and its numbers of
 * neighbours. */
int uno_face_peers(MPI_Comm comm);
int uno_face_sources(MPI_Comm comm);
int uno_face_destinations(MPI_Comm comm);

/* Return how many types MPI_Type_get_contents writes if there is room for `most`. */
long uno_face_types_in(MPI_Datatype type, MPI_Count most);

/* Convert the orders and distributions in the contents of a type, as MPI_Type_get_contents has written
 * them. */
void uno_face_contents(MPI_Datatype type, int integers[]);

#endif
