/* The part of Open MPI's ABI that is not generated from the table of functions. */

#include "library/face/openmpi.h"
#include "library/face/shared.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- where the core calls the program ------------------------------------------------------------------ */

static uintptr_t handle_out(uintptr_t handle) {
    return (uintptr_t)uno_face_out((void *)handle);
}

static uintptr_t number_out(uintptr_t handle) {
    bool predefined = handle < UNO_FACE_PREDEFINED;
    return (unsigned)(predefined ? uno_face_fortran[handle] : uno_mpi_comm_toint((MPI_Comm)handle));
}

static int query(MPI_Grequest_query_function *function, void *state, MPI_Status *status) {
    struct uno_face_status theirs;
    uno_out_status(status, &theirs);
    int error = function(state, (MPI_Status *)&theirs);
    uno_in_status(&theirs, status);
    return error;
}

__attribute__((constructor)) static void begin(void) {
    uno_face = (struct uno_face){handle_out,
                                 number_out,
                                 uno_out_error,
                                 uno_in_error,
                                 uno_out_rank,
                                 uno_out_flavor,
                                 uno_out_model,
                                 query,
                                 -1,
                                 -1,
                                 true};
}

/* ---- variables ---------------------------------------------------------------------------------------- */

/* Types that no longer exist. */
#define NO_TYPE(name)                                                                                        \
    EXPORT union {                                                                                           \
        uintptr_t handle;                                                                                    \
        char room[512];                                                                                      \
    } ompi_mpi_##name = {UNO_FACE_NO_OBJECT};
NO_TYPE(2cplex)
NO_TYPE(2dblcplex)

/* Addresses that stand for unwanted statuses in Fortran. */
static struct uno_face_status ignored, all_ignored;
EXPORT int *MPI_F_STATUS_IGNORE = (int *)&ignored, *MPI_F_STATUSES_IGNORE = (int *)&all_ignored;
EXPORT struct uno_face_status *MPI_F08_STATUS_IGNORE = &ignored, *MPI_F08_STATUSES_IGNORE = &all_ignored;

/* ---- functions ---------------------------------------------------------------------------------------- */

/* MPI_DUP_FN and the like, for each kind of objects. */
#define KEYS(kind)                                                                                           \
    EXPORT int OMPI_C_MPI_##kind##DUP_FN(void *object, int keyval, void *extra, void *in, void *out,         \
                                         int *flag) {                                                        \
        (void)object, (void)keyval, (void)extra;                                                             \
        memcpy(out, &in, sizeof in);                                                                         \
        *flag = 1;                                                                                           \
        return MPI_SUCCESS;                                                                                  \
    }                                                                                                        \
    EXPORT int OMPI_C_MPI_##kind##NULL_COPY_FN(void *object, int keyval, void *extra, void *in, void *out,   \
                                               int *flag) {                                                  \
        (void)object, (void)keyval, (void)extra, (void)in, (void)out;                                        \
        *flag = 0;                                                                                           \
        return MPI_SUCCESS;                                                                                  \
    }                                                                                                        \
    EXPORT int OMPI_C_MPI_##kind##NULL_DELETE_FN(void *object, int keyval, void *value, void *extra) {       \
        (void)object, (void)keyval, (void)value, (void)extra;                                                \
        return MPI_SUCCESS;                                                                                  \
    }
KEYS()
KEYS(COMM_)
KEYS(TYPE_)
KEYS(WIN_)

UNO_FACE_QUERY(cuda)
UNO_FACE_QUERY(rocm)

/* ---- for libmpi_mpifh.so.40 ---------------------------------------------------------------------------- */

/* Mark an operation as one whose function is Fortran's, and gets Fortran's numbers. */
EXPORT void ompi_unisono_fortran_op(uno_face_op op) {
    uno_find_op(uno_in_op(op))->fortran = true;
}
EXPORT void ompi_unisono_fortran_errhandler(uno_face_errhandler errhandler) {
    uno_find_errhandler(uno_in_errhandler(errhandler))->fortran = true;
}

#define LENGTH(name)                                                                                         \
    EXPORT int ompi_unisono_##name(uno_face_comm comm) {                                                     \
        return uno_face_##name(uno_in_comm(comm));                                                           \
    }
LENGTH(peers)
LENGTH(sources)
LENGTH(destinations)
EXPORT long ompi_unisono_types_in(uno_face_type type, int most) {
    return uno_face_types_in(uno_in_type(type), most);
}
