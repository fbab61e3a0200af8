/* Fortran under Open MPI, whose entry points call the host's PMPI_ functions: this file defines the same
 * entries, which call this library's functions. `use mpi` has the names of mpif.h, and mpi_f08 calls the
 * ompi_..._f functions with all arguments, so one function with several names serves all three. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "accelerator/host/host.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of INTEGER are passed on as they are");

#define EXPORT __attribute__((visibility("default")))

/* ---- constants that are addresses -------------------------------------------------------------------- */

enum { SPELLINGS = 4 };

/* Fortran's constants in this process; written once. A missing one has the address of something else. */
static struct {
    uno_atomic32 found;
    const void *in_place[SPELLINGS], *bottom[SPELLINGS];
} constants;

/* Find a common block of the host. A program holds it itself (the linker shares them out), so the program is
 * asked first; a plugin that is loaded privately does not. */
static const void *find_block(const char *name) {
    static const char nothing;
    void *address = dlsym(RTLD_DEFAULT, name);
    void *library = address ? NULL : dlopen("libmpi_mpifh.so.40", RTLD_NOLOAD | RTLD_LAZY);
    if (library)
        address = dlsym(library, name);
    return address ? address : &nothing;
}

static UNO_COLD void find_constants(void) {
    static const char *const in_place[SPELLINGS] = {"mpi_fortran_in_place_", "mpi_fortran_in_place",
                                                    "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"};
    static const char *const bottom[SPELLINGS] = {"mpi_fortran_bottom_", "mpi_fortran_bottom",
                                                  "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"};
    int size;
    HOST(Type_size)(MPI_INTEGER, &size);
    if (size != sizeof(MPI_Fint)) {
        fprintf(stderr,
                "unisono: this MPI library's INTEGER has %d bytes, and the accelerator is for %zu: run the "
                "program without it\n",
                size, sizeof(MPI_Fint));
        exit(EXIT_FAILURE);
    }
    /* threads that run this at once write the same */
    for (int i = 0; i < SPELLINGS; i++) {
        constants.in_place[i] = find_block(in_place[i]);
        constants.bottom[i] = find_block(bottom[i]);
    }
    /* SYNC FORTRAN: the rest of the constants */
    uno_store32_release(&constants.found, 1);
}

/* Return the buffer's address in C. */
static inline void *buffer_of(void *buffer) {
    /* SYNC FORTRAN: the rest of the constants */
    if (UNO_UNLIKELY(!uno_load32_acquire(&constants.found)))
        find_constants();
    for (int i = 0; i < SPELLINGS; i++)
        if (UNO_UNLIKELY(buffer == constants.in_place[i]))
            return MPI_IN_PLACE;
    for (int i = 0; i < SPELLINGS; i++)
        if (UNO_UNLIKELY(buffer == constants.bottom[i]))
            return MPI_BOTTOM;
    return buffer;
}

/* ---- the functions ----------------------------------------------------------------------------------- */

/* Kinds of arguments: the form that Fortran passes, and the form that C gets. */
#define PASSED_VALUE MPI_Fint *
#define PASSED_ARRAY MPI_Fint *
#define PASSED_BUFFER void *
#define PASSED_TYPE MPI_Fint *
#define PASSED_OP MPI_Fint *
#define PASSED_COMM MPI_Fint *
#define C_VALUE(a) (*(a))
#define C_ARRAY(a) (a)
#define C_BUFFER(a) buffer_of(a)
#define C_TYPE(a) HOST(Type_f2c)(*(a))
#define C_OP(a) HOST(Op_f2c)(*(a))
#define C_COMM(a) HOST(Comm_f2c)(*(a))

/* X(lower-case name, upper-case name, C's name, kinds of arguments...) */
#define FUNCTIONS(X)                                                                                         \
    X(allgather, ALLGATHER, Allgather, BUFFER, VALUE, TYPE, BUFFER, VALUE, TYPE, COMM)                       \
    X(allgatherv, ALLGATHERV, Allgatherv, BUFFER, VALUE, TYPE, BUFFER, ARRAY, ARRAY, TYPE, COMM)             \
    X(allreduce, ALLREDUCE, Allreduce, BUFFER, BUFFER, VALUE, TYPE, OP, COMM)                                \
    X(alltoall, ALLTOALL, Alltoall, BUFFER, VALUE, TYPE, BUFFER, VALUE, TYPE, COMM)                          \
    X(alltoallv, ALLTOALLV, Alltoallv, BUFFER, ARRAY, ARRAY, TYPE, BUFFER, ARRAY, ARRAY, TYPE, COMM)         \
    X(barrier, BARRIER, Barrier, COMM)                                                                       \
    X(bcast, BCAST, Bcast, BUFFER, VALUE, TYPE, VALUE, COMM)                                                 \
    X(exscan, EXSCAN, Exscan, BUFFER, BUFFER, VALUE, TYPE, OP, COMM)                                         \
    X(gather, GATHER, Gather, BUFFER, VALUE, TYPE, BUFFER, VALUE, TYPE, VALUE, COMM)                         \
    X(gatherv, GATHERV, Gatherv, BUFFER, VALUE, TYPE, BUFFER, ARRAY, ARRAY, TYPE, VALUE, COMM)               \
    X(reduce, REDUCE, Reduce, BUFFER, BUFFER, VALUE, TYPE, OP, VALUE, COMM)                                  \
    X(reduce_scatter, REDUCE_SCATTER, Reduce_scatter, BUFFER, BUFFER, ARRAY, TYPE, OP, COMM)                 \
    X(reduce_scatter_block, REDUCE_SCATTER_BLOCK, Reduce_scatter_block, BUFFER, BUFFER, VALUE, TYPE, OP,     \
      COMM)                                                                                                  \
    X(scan, SCAN, Scan, BUFFER, BUFFER, VALUE, TYPE, OP, COMM)                                               \
    X(scatter, SCATTER, Scatter, BUFFER, VALUE, TYPE, BUFFER, VALUE, TYPE, VALUE, COMM)                      \
    X(scatterv, SCATTERV, Scatterv, BUFFER, ARRAY, ARRAY, TYPE, BUFFER, VALUE, TYPE, VALUE, COMM)

/* m(kind, its number) for each kind, separated by commas */
#define EACH(m, ...)                                                                                         \
    SELECT(__VA_ARGS__, EACH9, EACH8, EACH7, EACH6, EACH5, EACH4, EACH3, EACH2, EACH1, )                     \
    (m, __VA_ARGS__)
#define SELECT(a, b, c, d, e, f, g, h, i, selected, ...) selected
#define EACH1(m, kind) m(kind, 1)
#define EACH2(m, kind, ...) m(kind, 2), EACH1(m, __VA_ARGS__)
#define EACH3(m, kind, ...) m(kind, 3), EACH2(m, __VA_ARGS__)
#define EACH4(m, kind, ...) m(kind, 4), EACH3(m, __VA_ARGS__)
#define EACH5(m, kind, ...) m(kind, 5), EACH4(m, __VA_ARGS__)
#define EACH6(m, kind, ...) m(kind, 6), EACH5(m, __VA_ARGS__)
#define EACH7(m, kind, ...) m(kind, 7), EACH6(m, __VA_ARGS__)
#define EACH8(m, kind, ...) m(kind, 8), EACH7(m, __VA_ARGS__)
#define EACH9(m, kind, ...) m(kind, 9), EACH8(m, __VA_ARGS__)
#define PARAMETER(kind, number) PASSED_##kind a##number
#define ARGUMENT(kind, number) C_##kind(a##number)

/* ierror is optional in mpi_f08 */
static void set(MPI_Fint *error, int result) {
    if (error)
        *error = result;
}

/* Define the function under the name that mpi_f08 calls, and under the names that compilers give the one of
 * mpif.h. The lower-case name without a _ is left out: no compiler has used it for long, and C programs have
 * functions of that name (R's Rmpi has an mpi_barrier), which would be replaced. */
#define NAMES(small, capital, ...)                                                                           \
    EXPORT void ompi_##small##_f(__VA_ARGS__);                                                               \
    EXPORT void mpi_##small##_(__VA_ARGS__) __attribute__((alias("ompi_" #small "_f")));                     \
    EXPORT void mpi_##small##__(__VA_ARGS__) __attribute__((alias("ompi_" #small "_f")));                    \
    EXPORT void MPI_##capital(__VA_ARGS__) __attribute__((alias("ompi_" #small "_f")));                      \
    void ompi_##small##_f(__VA_ARGS__)

#define X(small, capital, name, ...)                                                                         \
    NAMES(small, capital, EACH(PARAMETER, __VA_ARGS__), MPI_Fint *error) {                                   \
        set(error, MPI_##name(EACH(ARGUMENT, __VA_ARGS__)));                                                 \
    }
FUNCTIONS(X)
#undef X

NAMES(init, INIT, MPI_Fint *error) {
    set(error, MPI_Init(NULL, NULL));
}

NAMES(init_thread, INIT_THREAD, MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) {
    set(error, MPI_Init_thread(NULL, NULL, *required, provided));
}

NAMES(finalize, FINALIZE, MPI_Fint *error) {
    set(error, MPI_Finalize());
}
