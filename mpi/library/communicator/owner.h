/* Windows, files and sessions, as far as all of them are the same. */

#ifndef UNO_MPI_OWNER_H
#define UNO_MPI_OWNER_H

#include "library/object/objects.h"

/* The beginning of windows, files and sessions: objects that have an error handler of their own, as
 * communicators have. */
struct uno_owner {
    struct uno_object object;
    struct uno_mpi_errhandler *errhandler; /* held */
    struct uno_mpi_comm *comm;             /* the communicator of its ranks, held; or NULL */
};

struct uno_mpi_session {
    struct uno_owner owner;
};

static inline struct uno_mpi_session *uno_find_session(MPI_Session session) {
    return uno_object_of((uintptr_t)session, UNO_SESSION);
}

#endif
