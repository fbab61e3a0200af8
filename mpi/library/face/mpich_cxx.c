/* The parts of MPICH's internals that libmpichcxx.so.12 uses: the library of MPI's old C++ bindings, which
 * Debian's MPICH has. It makes callbacks as C does, and then registers its own function that calls each.
 * MPI::ERRORS_THROW_EXCEPTIONS is its own: it checks the result of every call. */

#include <stdarg.h>

#include "library/face/mpich.h"
#include "library/object/attributes.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- operations ---------------------------------------------------------------------------------------- */

static void (*call_op)(void *in, void *inout, int count, int type, void *function);

static void combine(void *in, void *inout, const int *count, const int *type, void *function) {
    call_op(in, inout, *count, *type, function);
}

EXPORT void MPII_Op_set_cxx(uno_face_op op, void (*call)(void)) {
    bool entered = uno_threads_enter();
    struct uno_mpi_op *found = uno_find_op(uno_in_op(op));
    call_op = (void (*)(void *, void *, int, int, void *))call;
    if (found) {
        found->last = (void *)found->function;
        found->function = (void (*)(void))combine;
    }
    if (entered)
        uno_threads_leave();
}

/* ---- error handlers ------------------------------------------------------------------------------------ */

static void (*call_errhandler)(int kind, int *object, int *error, void *function);

/* Return the number that it has for the kind of an object: handles of communicators and windows are numbers,
 * of which four bits tell the kind, and those of files addresses, or 0. */
static int kind_of(uintptr_t handle) {
    enum { COMMUNICATOR, FILES, WINDOW };
    const uintptr_t least = UINT32_C(1) << 30;
    if (handle < least || handle > UINT32_MAX)
        return FILES;
    return (handle >> 26 & 15) == UNO_WIN ? WINDOW : COMMUNICATOR;
}

static void handle(MPI_Comm *object, int *error, ...) {
    va_list arguments;
    va_start(arguments, error);
    (void)va_arg(arguments, const char *);
    void *function = va_arg(arguments, void *);
    va_end(arguments);
    call_errhandler(kind_of(*(const uintptr_t *)object), (int *)object, error, function);
}

/* Set the function that calls an error handler. A call that returns an error has it handled again, by
 * MPI_Comm_call_errhandler. */
EXPORT void MPII_Errhandler_set_cxx(uno_face_errhandler errhandler, void (*call)(void)) {
    bool entered = uno_threads_enter();
    struct uno_mpi_errhandler *found = uno_find_errhandler(uno_in_errhandler(errhandler));
    call_errhandler = (void (*)(int, int *, int *, void *))call;
    if (found) {
        found->last = (void *)found->function;
        found->function = handle;
        found->quiet = true;
    }
    if (entered)
        uno_threads_leave();
}

static void do_nothing(MPI_Comm *comm, int *error, ...) {
    (void)comm, (void)error;
}

__attribute__((constructor)) static void begin(void) {
    uno_find_errhandler(MPIR_ERRORS_THROW_EXCEPTIONS)->function = do_nothing;
}

/* ---- attributes ---------------------------------------------------------------------------------------- */

enum { POINTER }; /* what an attribute is */
typedef int copy_function(uno_copy_function *copy, int object, int keyval, void *extra, int what, void *in,
                          void *out, int *flag);
typedef int delete_function(uno_delete_function *delete, int object, int keyval, int what, void *value,
                            void *extra);

/* Kept as long as the process lives: attributes may outlive their key. */
struct key {
    struct uno_key_functions program;
    copy_function *copy;
    delete_function *delete;
};

static int copy(void *object, int keyval, void *extra, void *in, void *out, int *flag) {
    const struct key *key = extra;
    return key->copy(key->program.copy, (int)(intptr_t)object, keyval, key->program.extra, POINTER, in, out,
                     flag);
}

static int delete (void *object, int keyval, void *value, void *extra) {
    const struct key *key = extra;
    return key->delete (key->program.delete, (int)(intptr_t)object, keyval, POINTER, value,
                        key->program.extra);
}

EXPORT void MPII_Keyval_set_proxy(int keyval, copy_function *copy_call, delete_function *delete_call) {
    bool entered = uno_threads_enter();
    struct uno_key_functions *functions = uno_rank ? uno_keyval_functions(keyval) : NULL;
    if (functions) {
        struct key *key = uno_base_allocate(1, sizeof *key);
        *key = (struct key){*functions, copy_call, delete_call};
        *functions = (struct uno_key_functions){key->program.copy ? copy : NULL,
                                                key->program.delete ? delete : NULL, key, false};
    }
    if (entered)
        uno_threads_leave();
}
