/* What the entries of an ABI other than the standard's need, whichever it is. */

#ifndef UNO_MPI_FOREIGN_H
#define UNO_MPI_FOREIGN_H

#include <limits.h>
#include <stdlib.h>

#include "collective/base.h"
#include "library/face/check.h"
#include "library/message/requests.h"
#include "library/rank/face.h"

/* A function of the ABI, PMPI_name with MPI_name weak over it. In C it has another name, since mpi.h has the
 * standard's prototype for that. */
#define UNO_FACE(result, name, parameters)                                                                   \
    __attribute__((visibility("default"))) result face_##name parameters __asm__("PMPI_" #name);             \
    result weak_##name parameters __asm__("MPI_" #name)                                                      \
        __attribute__((weak, alias("PMPI_" #name), visibility("default")));                                  \
    result face_##name parameters

/* Another name for one, with MPI_ before it, or MPIX_. */
#define UNO_FACE_SAME(name, as)                                                                              \
    __typeof__(face_##as) same_##name __asm__("P" #name)                                                     \
        __attribute__((alias("PMPI_" #as), visibility("default")));                                          \
    __typeof__(face_##as) weak_##name __asm__(#name)                                                         \
        __attribute__((weak, alias("PMPI_" #as), visibility("default")));

/* A symbol of that name, of what is no part of the standard and is not there. */
#define UNO_FACE_NONE(name)                                                                                  \
    __attribute__((visibility("default"))) int none_##name(void) __asm__(#name);                             \
    int none_##name(void) {                                                                                  \
        return uno_face.error(uno_call_unsupported(#name, MPI_COMM_SELF));                                   \
    }

/* A number for those that mean something in the standard's ABI alone. */
enum { UNO_INVALID = INT_MIN };

enum {
    UNO_FACE_NO_OBJECT = 1,     /* a handle that names nothing, in the standard's ABI */
    UNO_FACE_PREDEFINED = 0x300 /* the standard's numbers of predefined objects are below */
};

/* A status that a call is to fill in, whose MPI_ERROR it may leave. */
static inline void uno_status_unset(MPI_Status *status) {
    *status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = UNO_INVALID};
}

/* Arrays of the standard's ABI that lie beside those of the program, for the time of a call. */
enum { UNO_FEW = 64 };
static inline void *uno_beside(void *few, long count, size_t size) {
    return count <= UNO_FEW ? few : uno_base_allocate((size_t)count, size);
}
static inline void uno_beside_end(void *all, void *few) {
    if (all != few)
        free(all);
}

/* Return true if what a long array has, as the standard's ABI has it, is a thing of its kind. */
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

/* How many ranks a communicator has on the other side, or how many neighbours it has: the lengths of arrays
 * of types. */
int uno_face_peers(MPI_Comm comm);
int uno_face_sources(MPI_Comm comm);
int uno_face_destinations(MPI_Comm comm);

/* How many types MPI_Type_get_contents tells of, if there is room for so many. */
long uno_face_types_in(MPI_Datatype type, MPI_Count most);

/* Orders and distributions among the contents of a type, which MPI_Type_get_contents has put there. */
void uno_face_contents(MPI_Datatype type, int integers[]);

#endif
