/* Errors: what is wrong is kept in words until the call ends, and then goes to the communicator's error
 * handler. */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/calls.h"
#include "library/face/check.h"
#include "library/object/errors.h"
#include "library/rank/face.h"

/* A class or code of the program's. */
struct uno_user_error {
    int class; /* that it belongs to; 0: it has been removed */
    bool told; /* it has a text */
    char text[MPI_MAX_ERROR_STRING];
};

enum { USER_FIRST = MPI_ERR_LASTCODE + 1 };

static const char *const names[] = {
#define N(name) [MPI_##name] = "MPI_" #name
    N(SUCCESS),
    N(ERR_BUFFER),
    N(ERR_COUNT),
    N(ERR_TYPE),
    N(ERR_TAG),
    N(ERR_COMM),
    N(ERR_RANK),
    N(ERR_REQUEST),
    N(ERR_ROOT),
    N(ERR_GROUP),
    N(ERR_OP),
    N(ERR_TOPOLOGY),
    N(ERR_DIMS),
    N(ERR_ARG),
    N(ERR_UNKNOWN),
    N(ERR_TRUNCATE),
    N(ERR_OTHER),
    N(ERR_INTERN),
    N(ERR_PENDING),
    N(ERR_IN_STATUS),
    N(ERR_ACCESS),
    N(ERR_AMODE),
    N(ERR_ASSERT),
    N(ERR_BAD_FILE),
    N(ERR_BASE),
    N(ERR_CONVERSION),
    N(ERR_DISP),
    N(ERR_DUP_DATAREP),
    N(ERR_FILE_EXISTS),
    N(ERR_FILE_IN_USE),
    N(ERR_FILE),
    N(ERR_INFO_KEY),
    N(ERR_INFO_NOKEY),
    N(ERR_INFO_VALUE),
    N(ERR_INFO),
    N(ERR_IO),
    N(ERR_KEYVAL),
    N(ERR_LOCKTYPE),
    N(ERR_NAME),
    N(ERR_NO_MEM),
    N(ERR_NOT_SAME),
    N(ERR_NO_SPACE),
    N(ERR_NO_SUCH_FILE),
    N(ERR_PORT),
    N(ERR_QUOTA),
    N(ERR_READ_ONLY),
    N(ERR_RMA_ATTACH),
    N(ERR_RMA_CONFLICT),
    N(ERR_RMA_RANGE),
    N(ERR_RMA_SHARED),
    N(ERR_RMA_SYNC),
    N(ERR_SERVICE),
    N(ERR_SIZE),
    N(ERR_SPAWN),
    N(ERR_UNSUPPORTED_DATAREP),
    N(ERR_UNSUPPORTED_OPERATION),
    N(ERR_WIN),
    N(ERR_RMA_FLAVOR),
    N(ERR_PROC_ABORTED),
    N(ERR_VALUE_TOO_LARGE),
    N(ERR_SESSION),
    N(ERR_ERRHANDLER),
    N(ERR_ABI),
#undef N
};

static struct uno_user_error *user_error(int code) {
    struct uno_rank *rank = uno_rank;
    int i = code - USER_FIRST;
    bool known = rank && i >= 0 && i < rank->user_errors && rank->user_error[i].class;
    return known ? &rank->user_error[i] : NULL;
}

const char *uno_error_name(int class) {
    if (class >= 0 && class < (int)(sizeof names / sizeof *names))
        return names[class];
    const struct uno_user_error *user = user_error(class);
    return user ? user->text : NULL;
}

void uno_check_failed(struct uno_call *call, int class, const char *format, ...) {
    va_list arguments;
    if (call->error)
        return;
    call->error = class;
    if (!uno_rank) /* at any time: there is nobody to tell more */
        return;
    va_start(arguments, format);
    vsnprintf(uno_rank->detail, sizeof uno_rank->detail, format, arguments);
    va_end(arguments);
}

void uno_call_outside(const char *name) {
    int pe, thread, finalized;
    if (uno_self == &uno_pe_forked)
        uno_fail(uno_self, "%s was called %s", name, uno_pe_when(uno_self));
    if (uno_is_between(&pe, &thread))
        uno_fail_apart(
            uno_self,
            "PE %d: %s was called by thread %d, but only thread %d, which has called MPI_Init, may "
            "call MPI's functions",
            pe, name, (int)gettid(), thread);
    uno_mpi_finalized(&finalized);
    uno_fail_apart(uno_self, "%s was called %s", name, finalized ? "after MPI_Finalize" : "before MPI_Init");
}

/* ---- handlers ---------------------------------------------------------------------------------------- */

static int raise_of(uintptr_t object, struct uno_mpi_errhandler *handler, const char *name, int error) {
    char detail[UNO_DETAIL];
    snprintf(detail, sizeof detail, "%s", uno_rank->detail);
    *uno_rank->detail = 0;
    if (handler->function) {
        uintptr_t handle = (handler->fortran ? uno_face.fortran : uno_face.handle)(object);
        int code = uno_face.error(error);
        handler->function((MPI_Comm *)&handle, &code, name, handler->last);
        return handler->quiet ? UNO_HANDLED : error;
    }
    if ((MPI_Errhandler)handler->object.handle == MPI_ERRORS_RETURN)
        return error;
    const char *class = uno_error_name(error);
    uno_fail(uno_rank->pe, "%s: %s%s%s%s", name, detail, *detail ? " (" : "", class ? class : "an error",
             *detail ? ")" : "");
}

static int raise_at(struct uno_mpi_comm *comm, const char *name, int error) {
    return raise_of(comm->object.handle, comm->errhandler, name, error);
}

/* Of calls without a communicator. A program that has set a handler for MPI_COMM_WORLD alone is one of before
 * MPI 4.0, when it was that communicator's, or was tested with a library that still does so. */
static struct uno_mpi_comm *usual_comm(void) {
    const struct uno_mpi_errhandler *own = uno_rank->self->errhandler;
    bool set = (MPI_Errhandler)own->object.handle != MPI_ERRORS_ARE_FATAL;
    return set ? uno_rank->self : uno_rank->world;
}

int uno_call_raise(const char *name, struct uno_mpi_comm *comm, int error) {
    if (!uno_rank) /* at any time: there is no communicator whose handler could be asked */
        return error;
    struct uno_mpi_comm *blamed = uno_rank->blamed;
    uno_rank->blamed = NULL;
    error = raise_at(comm ? comm : blamed ? blamed : usual_comm(), name, error);
    uno_object_drop(blamed);
    return error;
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

void uno_blame(struct uno_mpi_comm *comm) {
    if (!uno_rank->blamed)
        uno_rank->blamed = uno_object_hold(comm);
}

int uno_call_unsupported(const char *name, MPI_Comm comm) {
    static const char text[] = "this library does not have it yet; see docs/mpi-library.md";
    if (!uno_rank)
        uno_fail(uno_self, "%s: %s", name, text);
    return uno_call_raise(name, uno_find_comm(comm), uno_error(MPI_ERR_UNSUPPORTED_OPERATION, text));
}

int uno_mpi_comm_call_errhandler(struct uno_mpi_comm *comm, int errorcode) {
    raise_at(comm, "MPI_Comm_call_errhandler", errorcode);
    return MPI_SUCCESS;
}

/* The program's functions are of one shape, whichever objects' errors they are for. */
static int make(MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler) {
    struct uno_mpi_errhandler *made = uno_object_make(UNO_ERRHANDLER, 0, NULL);
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

/* NULL: MPI_FILE_NULL. */
static struct uno_mpi_errhandler **of_file(struct uno_mpi_file *file) {
    return file ? &file->owner.errhandler : &uno_rank->no_file;
}
int uno_mpi_file_set_errhandler(struct uno_mpi_file *file, struct uno_mpi_errhandler *errhandler) {
    return set(of_file(file), errhandler);
}
int uno_mpi_file_get_errhandler(struct uno_mpi_file *file, MPI_Errhandler *errhandler) {
    return get(*of_file(file), errhandler);
}
int uno_mpi_file_call_errhandler(struct uno_mpi_file *fh, int errorcode) {
    uno_call_raise_file("MPI_File_call_errhandler", fh ? &fh->owner : NULL, errorcode);
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

/* ---- classes and codes --------------------------------------------------------------------------------- */

int uno_mpi_error_class(int errorcode, int *errorclass) {
    const struct uno_user_error *user = user_error(errorcode);
    if (!user && !uno_error_name(errorcode))
        return MPI_ERR_ARG;
    *errorclass = user ? user->class : errorcode;
    return MPI_SUCCESS;
}

int uno_mpi_error_string(int errorcode, char *string, int *resultlen) {
    const char *name = uno_error_name(errorcode);
    if (!name)
        return MPI_ERR_ARG;
    *resultlen = snprintf(string, MPI_MAX_ERROR_STRING, "%s", name);
    return MPI_SUCCESS;
}

/* In the first place that is free. */
static int add(int class, int *code) {
    struct uno_rank *rank = uno_rank;
    int i = 0;
    while (i < rank->user_errors && rank->user_error[i].class)
        i++;
    if (i == rank->user_errors) {
        size_t size = (size_t)(i + 1) * sizeof *rank->user_error;
        struct uno_user_error *all = realloc(rank->user_error, size);
        if (!all)
            return uno_error(MPI_ERR_NO_MEM, "out of memory");
        rank->user_error = all;
        rank->user_errors++;
    }
    *code = USER_FIRST + i;
    rank->user_error[i] = (struct uno_user_error){.class = class ? class : *code};
    return MPI_SUCCESS;
}

int uno_mpi_add_error_class(int *errorclass) {
    return add(0, errorclass);
}

int uno_mpi_add_error_code(int errorclass, int *errorcode) {
    if (!uno_error_name(errorclass))
        return uno_error(MPI_ERR_ARG, "errorclass is %d, which is none", errorclass);
    return add(errorclass, errorcode);
}

int uno_mpi_add_error_string(int errorcode, const char *string) {
    struct uno_user_error *user = user_error(errorcode);
    if (!user)
        return uno_error(MPI_ERR_ARG, "errorcode is %d, which the program has not added", errorcode);
    snprintf(user->text, sizeof user->text, "%s", string);
    user->told = true;
    return MPI_SUCCESS;
}

int uno_mpi_remove_error_string(int errorcode) {
    struct uno_user_error *user = user_error(errorcode);
    if (!user || !user->told)
        return uno_error(MPI_ERR_ARG, "the program has added no string to errorcode, which is %d", errorcode);
    user->told = false;
    *user->text = 0;
    return MPI_SUCCESS;
}

int uno_mpi_remove_error_code(int errorcode) {
    struct uno_user_error *user = user_error(errorcode);
    if (!user || user->class == errorcode)
        return uno_error(MPI_ERR_ARG, "errorcode is %d, which the program has not added", errorcode);
    if (user->told)
        return uno_error(MPI_ERR_ARG, "errorcode %d still has its string", errorcode);
    user->class = 0;
    return MPI_SUCCESS;
}

int uno_mpi_remove_error_class(int errorclass) {
    struct uno_user_error *user = user_error(errorclass);
    if (!user || user->class != errorclass)
        return uno_error(MPI_ERR_ARG, "errorclass is %d, which the program has not added", errorclass);
    for (int i = 0; i < uno_rank->user_errors; i++)
        if (uno_rank->user_error[i].class == errorclass && i != errorclass - USER_FIRST)
            return uno_error(MPI_ERR_ARG, "errorclass %d still has the code %d", errorclass, USER_FIRST + i);
    if (user->told)
        return uno_error(MPI_ERR_ARG, "errorclass %d still has its string", errorclass);
    user->class = 0;
    return MPI_SUCCESS;
}

int uno_error_last_used(void) {
    return MPI_ERR_LASTCODE + uno_rank->user_errors;
}
