/* The parts of Open MPI's internals that libmpi_cxx.so.40 uses: the library of MPI's old C++ bindings, which
 * Open MPI 4 has, and with which its mpicxx links every program. It accesses objects directly, so some of
 * their fields must be where Open MPI 4 has them. */

#include <pthread.h>
#include <stdarg.h>

#include "library/communicator/topology.h"
#include "library/face/openmpi.h"
#include "library/object/attributes.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- communicators ------------------------------------------------------------------------------------- */

/* Flags from which the C++ library takes the class of a communicator that it passes to attribute
 * functions. */
enum { INTER = 0x1, CART = 0x100, GRAPH = 0x200 };
enum { FLAGS = 192 + sizeof(pthread_mutex_t), FACE = offsetof(struct uno_mpi_comm, face) };
_Static_assert(FLAGS >= FACE && FLAGS < FACE + sizeof((struct uno_mpi_comm *)0)->face,
               "a face's room is where Open MPI 4 has the flags of a communicator");

/* Convert a handle for a function of the program; before: the conversion without C++. */
static uintptr_t (*before)(uintptr_t handle);
static uintptr_t handle_out(uintptr_t handle) {
    struct uno_mpi_comm *comm = uno_object_of(handle, UNO_COMM);
    if (comm) {
        int kind = comm->topology ? comm->topology->kind : MPI_UNDEFINED;
        comm->face[(FLAGS - FACE) / sizeof *comm->face] =
            (comm->remote ? INTER : 0) | (kind == MPI_CART ? CART : 0) | (kind == MPI_GRAPH ? GRAPH : 0);
    }
    return before(handle);
}

/* ---- operations ---------------------------------------------------------------------------------------- */

/* Set the C++ function of an operation, which the operation's function gets as its last argument. */
EXPORT void ompi_op_set_cxx_callback(uno_face_op op, void *function) {
    bool entered = uno_threads_enter();
    struct uno_mpi_op *found = uno_find_op(uno_in_op(op));
    if (found)
        found->last = function;
    if (entered)
        uno_threads_leave();
}

/* ---- attributes ---------------------------------------------------------------------------------------- */

/* Make a key. `freed` ought to be freed with the key, but stays, as the data of Fortran's keys do. Returns
 * the error. */
EXPORT int ompi_attr_create_keyval(int kind, uno_copy_function *copy, uno_delete_function *delete,
                                   int *keyval, void *extra, int flags, void *freed) {
    static const enum uno_object_kind kinds[] = {[1] = UNO_COMM, [2] = UNO_TYPE, [3] = UNO_WIN};
    (void)flags, (void)freed;
    bool entered = !uno_rank;
    if (entered)
        uno_call_enter("MPI::Comm::Create_keyval");
    if (!before) {
        before = uno_face.handle;
        uno_face.handle = handle_out;
    }
    int error = uno_keyval_make(kinds[kind], copy, delete, keyval, extra);
    if (entered)
        uno_threads_leave();
    return uno_out_error(error);
}

/* ---- errors -------------------------------------------------------------------------------------------- */

/* An error handler into which the C++ library puts its own functions, by which it calls the program's. */
struct errhandler {
    char before[88];
    MPI_Comm_errhandler_function *comm;
    void (*file)(void), (*win)(void), (*fortran)(void);
    void (*cxx)(MPI_Comm *comm, int *error, const char *name, MPI_Comm_errhandler_function *function);
};
_Static_assert(offsetof(struct uno_mpi_errhandler, face) <= offsetof(struct errhandler, comm) &&
                   sizeof(struct errhandler) <= sizeof(struct uno_mpi_errhandler),
               "a face's room is where Open MPI 4 has the functions of an error handler");
extern struct errhandler ompi_mpi_errors_throw_exceptions;

static void handle(MPI_Comm *comm, int *error, ...) {
    va_list arguments;
    va_start(arguments, error);
    const char *name = va_arg(arguments, const char *);
    const struct errhandler *handler = va_arg(arguments, const struct errhandler *);
    va_end(arguments);
    handler->cxx(comm, error, name, handler->comm);
}

static void throw(MPI_Comm * comm, int *error, ...) {
    if (!ompi_mpi_errors_throw_exceptions.comm)
        uno_fail(uno_rank->pe, "MPI::ERRORS_THROW_EXCEPTIONS, but MPI::Init has not been called");
    ompi_mpi_errors_throw_exceptions.comm(comm, error);
}

__attribute__((constructor)) static void begin(void) {
    uno_find_errhandler(MPIR_ERRORS_THROW_EXCEPTIONS)->function = throw;
}

/* Make an error handler of C++, whose `cxx` is set afterwards, of communicators, windows or files: the
 * functions have the same form. */
EXPORT struct errhandler *ompi_errhandler_create(int kind, MPI_Comm_errhandler_function *function,
                                                 int language) {
    (void)kind, (void)language;
    bool entered = !uno_rank;
    if (entered)
        uno_call_enter("MPI::Comm::Create_errhandler");
    struct uno_mpi_errhandler *made = uno_object_make(UNO_ERRHANDLER, sizeof *made, 0, NULL);
    struct errhandler *theirs = (struct errhandler *)made;
    made->function = handle;
    made->last = made;
    theirs->comm = function;
    if (entered)
        uno_threads_leave();
    return theirs;
}

/* Handle an error by the handler of an object, which is MPI_COMM_WORLD or no communicator. */
EXPORT int ompi_errhandler_invoke(struct errhandler *handler, const void *object, int kind, int error,
                                  const char *name) {
    (void)handler, (void)kind;
    bool entered = uno_threads_enter();
    struct uno_mpi_comm *comm = uno_find_comm(uno_in_comm((uno_face_comm)object));
    int outcome = uno_call_raise(name, comm, uno_in_error(error));
    if (entered)
        uno_threads_leave();
    return uno_out_error(outcome);
}

/* The range of Open MPI's internal error codes, which is empty here. */
EXPORT int ompi_errcode_intern_lastused = 0;
EXPORT char ompi_errcodes_intern[80 + sizeof(pthread_mutex_t)];

/* ---- files --------------------------------------------------------------------------------------------- */

/* A list with the functions of MPI::Register_datarep: an item's links, and those of the list itself. */
struct links {
    void *before[2];
    struct links *next, *previous;
};
EXPORT struct {
    void *before[2];
    struct links ends;
    void *more;
    size_t count;
} ompi_registered_datareps = {
    .ends = {.next = &ompi_registered_datareps.ends, .previous = &ompi_registered_datareps.ends}};
