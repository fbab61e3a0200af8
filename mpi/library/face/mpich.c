/* The part of MPICH's ABI that is not generated from the table of functions. */

#include "library/face/mpich.h"
#include "library/face/shared.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- where the core calls the program ------------------------------------------------------------------ */

/* Convert a handle. One of a file is an address, as in the standard's ABI. */
static uintptr_t handle_out(uintptr_t handle) {
    if (uno_find_file((MPI_File)handle))
        return handle;
    return (unsigned)uno_face_out((void *)handle);
}

static int query(MPI_Grequest_query_function *function, void *state, MPI_Status *status) {
    struct uno_face_status theirs;
    uno_out_status(status, &theirs);
    theirs.MPI_ERROR = uno_out_error(status->MPI_ERROR);
    int error = function(state, (MPI_Status *)&theirs);
    uno_in_status(&theirs, status);
    return error;
}

__attribute__((constructor)) static void begin(void) {
    uno_face = (struct uno_face){handle_out,     handle_out,    uno_out_error, uno_in_error, uno_out_rank,
                                 uno_out_flavor, uno_out_model, query,         -1,           -1,
                                 false};
}

/* ---- variables ---------------------------------------------------------------------------------------- */

EXPORT int *const MPIR_unweighted __asm__("MPI_UNWEIGHTED") = MPI_UNWEIGHTED;
EXPORT int *const MPIR_weights_empty __asm__("MPI_WEIGHTS_EMPTY") = MPI_WEIGHTS_EMPTY;
EXPORT void *const MPIR_all_handles __asm__("MPI_T_PVAR_ALL_HANDLES") = MPI_T_PVAR_ALL_HANDLES;

/* Addresses that stand for unwanted statuses in Fortran, and the values of its logicals. */
EXPORT struct uno_face_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
EXPORT struct uno_face_status *MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
EXPORT struct uno_face_status *MPI_F08_STATUSES_IGNORE = &MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
EXPORT int *MPI_F_STATUS_IGNORE = (int *)1, *MPI_F_STATUSES_IGNORE = (int *)1;
EXPORT int MPIR_fortran_true = 1, MPIR_fortran_false = 0;

/* ---- functions ---------------------------------------------------------------------------------------- */

/* MPI_DUP_FN, and its counterparts for other kinds of objects. */
EXPORT int MPIR_Dup_fn(int object, int keyval, void *extra, void *in, void *out, int *flag) {
    (void)object, (void)keyval, (void)extra;
    memcpy(out, &in, sizeof in);
    *flag = 1;
    return MPI_SUCCESS;
}

/* Answer that memory of no kind of accelerator may be sent from. */
UNO_FACE_QUERY(cuda)
UNO_FACE_QUERY(hip)
UNO_FACE_QUERY(ze)
