/* Error handlers, and the error of a call. */

#ifndef UNO_MPI_ERRHANDLER_H
#define UNO_MPI_ERRHANDLER_H

#include "library/object/objects.h"

struct uno_mpi_errhandler {
    struct uno_object object;
    MPI_Comm_errhandler_function *function; /* NULL: a predefined one */
    void *last;                             /* the argument that it gets after MPI's, */
    bool fortran;                           /* and it is Fortran's */
    bool quiet;    /* a call whose error it has been told of has succeeded for the program: UNO_HANDLED */
    void *face[7]; /* room for a face, which may want it where it is (openmpi_cxx.c) */
};

/* MPI::ERRORS_THROW_EXCEPTIONS of the old C++ bindings, which only other ABIs have. */
#define MPIR_ERRORS_THROW_EXCEPTIONS ((MPI_Errhandler)0x144)

/* Fatal, abort, return; and that of C++, whose function a face says. */
extern struct uno_mpi_errhandler uno_predefined_errhandler[4];

static inline struct uno_mpi_errhandler *uno_find_errhandler(MPI_Errhandler handler) {
    uintptr_t at = (uintptr_t)handler - (uintptr_t)MPI_ERRORS_ARE_FATAL;
    if (at < sizeof uno_predefined_errhandler / sizeof *uno_predefined_errhandler)
        return &uno_predefined_errhandler[at];
    return uno_object_of((uintptr_t)handler, UNO_ERRHANDLER);
}

/* The result of a call whose error went to a handler that lets it succeed: MPI_SUCCESS for the program, but
 * without results that an entry for another ABI could convert. */
enum { UNO_HANDLED = -1 };

/* Have the error of a call handled, by the communicator's handler. NULL: by that of the communicator that is
 * blamed, or of MPI_COMM_SELF. Returns the error, or what the handler has made of it, if that returns. */
int uno_call_raise(const char *name, struct uno_mpi_comm *comm, int error) __attribute__((cold));

/* Have the error of a call handled, by the handler of a window, file or session. NULL: the call has no
 * communicator, or is one of MPI_FILE_NULL, which has a handler, too. */
struct uno_owner;
int uno_call_raise_owner(const char *name, struct uno_owner *owner, int error) __attribute__((cold));
int uno_call_raise_file(const char *name, struct uno_owner *file, int error) __attribute__((cold));

/* Set or get the handler of one of these. */
int uno_owner_set_errhandler(struct uno_owner *owner, struct uno_mpi_errhandler *errhandler);
int uno_owner_get_errhandler(const struct uno_owner *owner, MPI_Errhandler *errhandler);

/* The error that a call returns is that of a window or its like, which it names only by the address of its
 * handle. */
void uno_blame_owner(struct uno_owner *owner);

/* The error that a call returns is that of a communicator which it does not name: its handler is called. */
void uno_blame(struct uno_mpi_comm *comm);

#endif
