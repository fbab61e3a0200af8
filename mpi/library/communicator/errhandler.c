/* An error is kept in words until the call ends, and then goes to the communicator's error handler. */

#include "library/communicator/errhandler.h"

#include <stdio.h>

#include "engine/fault.h"
#include "library/calls.h"
#include "library/communicator/comm.h"
#include "library/communicator/owner.h"
#include "library/object/errors.h"
#include "library/rank/face.h"

struct uno_mpi_errhandler uno_predefined_errhandler[4] = {
#define X(name)                                                                                              \
    {                                                                                                        \
        .object = {.handle = (uintptr_t)(name), .kind = UNO_ERRHANDLER }                                     \
    }
    X(MPI_ERRORS_ARE_FATAL),
    X(MPI_ERRORS_ABORT),
    X(MPI_ERRORS_RETURN),
    X(MPIR_ERRORS_THROW_EXCEPTIONS),
#undef X
};

static int call_handler(uintptr_t object, struct uno_mpi_errhandler *handler, const char *name, int error) {
    char detail[UNO_DETAIL];
    snprintf(detail, sizeof detail, "%s", uno_rank->detail);
    *uno_rank->detail = 0;
    if (handler->function) {
        uintptr_t handle = (handler->fortran ? uno_face.fortran : uno_face.handle)(object);
        int told = uno_face.error(error), code = told; /* it may change what the call returns */
        handler->function((MPI_Comm *)&handle, &code, name, handler->last);
        if (handler->quiet || code == MPI_SUCCESS)
            return uno_face.version < 0 ? UNO_HANDLED : MPI_SUCCESS;
        return code == told ? error : uno_face.error_from(code);
    }
    if ((MPI_Errhandler)handler->object.handle == MPI_ERRORS_RETURN)
        return error;
    const char *class = uno_error_name(error);
    uno_fail(uno_rank->pe, "%s: %s%s%s%s", name, detail, *detail ? " (" : "", class ? class : "an error",
             *detail ? ")" : "");
}

/* Whoever is blamed for the error is so no longer, whichever handler is called. */
static int raise_of(uintptr_t object, struct uno_mpi_errhandler *handler, const char *name, int error) {
    struct uno_mpi_comm *blamed = uno_rank->blamed;
    uno_rank->blamed = NULL;
    error = call_handler(object, handler, name, error);
    uno_object_drop(blamed);
    return error;
}

static int raise_at(struct uno_mpi_comm *comm, const char *name, int error) {
    return raise_of(comm->object.handle, comm->errhandler, name, error);
}

/* The one for calls without a communicator. A program that has set a handler for MPI_COMM_WORLD alone is one
 * of before MPI 4.0, when it was that communicator's, or was tested with a library that still does so. */
static struct uno_mpi_comm *usual_comm(void) {
    const struct uno_mpi_errhandler *own = uno_rank->self->errhandler;
    bool set = (MPI_Errhandler)own->object.handle != MPI_ERRORS_ARE_FATAL;
    return set ? uno_rank->self : uno_rank->world;
}

int uno_call_raise(const char *name, struct uno_mpi_comm *comm, int error) {
    if (!uno_rank) /* at any time: there is no communicator whose handler could be asked */
        return error;
    struct uno_owner *owner = uno_rank->blamed_owner;
    struct uno_mpi_comm *blamed = uno_rank->blamed;
    uno_rank->blamed_owner = NULL;
    if (owner)
        return raise_of(owner->object.handle, owner->errhandler, name, error);
    return raise_at(comm ? comm : blamed ? blamed : usual_comm(), name, error);
}

int uno_call_raise_owner(const char *name, struct uno_owner *owner, int error) {
    return owner ? raise_of(owner->object.handle, owner->errhandler, name, error)
                 : uno_call_raise(name, NULL, error);
}

int uno_call_raise_file(const char *name, struct uno_owner *file, int error) {
    bool none = !file && uno_rank;
    return none ? raise_of((uintptr_t)MPI_FILE_NULL, uno_rank->no_file, name, error)
                : uno_call_raise_owner(name, file, error);
}

void uno_blame_owner(struct uno_owner *owner) {
    uno_rank->blamed_owner = owner;
}

void uno_blame(struct uno_mpi_comm *comm) {
    if (!uno_rank->blamed)
        uno_rank->blamed = uno_object_hold(comm);
}

int uno_mpi_comm_call_errhandler(struct uno_mpi_comm *comm, int errorcode) {
    raise_at(comm, "MPI_Comm_call_errhandler", errorcode);
    return MPI_SUCCESS;
}

/* The program's functions have the same form for the errors of all kinds of objects. */
static int make(MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler) {
    struct uno_mpi_errhandler *made = uno_object_make(UNO_ERRHANDLER, sizeof *made, 0, NULL);
    made->function = function;
    *errhandler = (MPI_Errhandler)made->object.handle;
    return MPI_SUCCESS;
}

static int set(struct uno_mpi_errhandler **at, struct uno_mpi_errhandler *errhandler) {
    uno_object_hold(errhandler);
    uno_object_drop(*at);
    *at = errhandler;
    return MPI_SUCCESS;
}

static int get(struct uno_mpi_errhandler *of, MPI_Errhandler *errhandler) {
    uno_object_hold(of);
    *errhandler = (MPI_Errhandler)of->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn,
                                   MPI_Errhandler *errhandler) {
    return make(comm_errhandler_fn, errhandler);
}
int uno_mpi_win_create_errhandler(MPI_Win_errhandler_function *win_errhandler_fn,
                                  MPI_Errhandler *errhandler) {
    return make((MPI_Comm_errhandler_function *)win_errhandler_fn, errhandler);
}
int uno_mpi_file_create_errhandler(MPI_File_errhandler_function *file_errhandler_fn,
                                   MPI_Errhandler *errhandler) {
    return make((MPI_Comm_errhandler_function *)file_errhandler_fn, errhandler);
}
int uno_mpi_session_create_errhandler(MPI_Session_errhandler_function *session_errhandler_fn,
                                      MPI_Errhandler *errhandler) {
    return make((MPI_Comm_errhandler_function *)session_errhandler_fn, errhandler);
}

int uno_mpi_comm_set_errhandler(struct uno_mpi_comm *comm, struct uno_mpi_errhandler *errhandler) {
    return set(&comm->errhandler, errhandler);
}
int uno_mpi_comm_get_errhandler(struct uno_mpi_comm *comm, MPI_Errhandler *errhandler) {
    return get(comm->errhandler, errhandler);
}

int uno_owner_set_errhandler(struct uno_owner *owner, struct uno_mpi_errhandler *errhandler) {
    return set(&owner->errhandler, errhandler);
}
int uno_owner_get_errhandler(const struct uno_owner *owner, MPI_Errhandler *errhandler) {
    return get(owner->errhandler, errhandler);
}

/* NULL: MPI_FILE_NULL. */
static struct uno_mpi_errhandler **of_file(struct uno_mpi_file *file) {
    return file ? &((struct uno_owner *)file)->errhandler : &uno_rank->no_file;
}
int uno_mpi_file_set_errhandler(struct uno_mpi_file *file, struct uno_mpi_errhandler *errhandler) {
    return set(of_file(file), errhandler);
}
int uno_mpi_file_get_errhandler(struct uno_mpi_file *file, MPI_Errhandler *errhandler) {
    return get(*of_file(file), errhandler);
}
int uno_mpi_file_call_errhandler(struct uno_mpi_file *fh, int errorcode) {
    uno_call_raise_file("MPI_File_call_errhandler", (struct uno_owner *)fh, errorcode);
    return MPI_SUCCESS;
}

int uno_mpi_errhandler_free(MPI_Errhandler *errhandler) {
    struct uno_mpi_errhandler *handler = uno_find_errhandler(*errhandler);
    if (!handler)
        return uno_error(MPI_ERR_ERRHANDLER, "errhandler is no error handler");
    uno_object_drop(handler);
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
