/* The rest of the library for MPICH's module mpi_f08: the module's variables, and its procedures that are no
 * functions of MPI. */

#include "library/face/f08_mpich.h"

#include <stdio.h>

EXPORT int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
EXPORT int MPIR_F08_MPI_STATUS_IGNORE_OBJ[5], MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
EXPORT int __mpi_f08_link_constants_MOD_mpi_unweighted, __mpi_f08_link_constants_MOD_mpi_weights_empty,
    __mpi_f08_link_constants_MOD_mpi_errcodes_ignore;
EXPORT char __mpi_f08_link_constants_MOD_mpi_argv_null, __mpi_f08_link_constants_MOD_mpi_argvs_null;

static bool is_whole(const struct uno_f08_array *a) {
    ptrdiff_t expected = (ptrdiff_t)a->element, span = a->span ? a->span : expected;
    for (int i = 0; i < a->rank; i++) {
        ptrdiff_t extent = a->dimension[i].high - a->dimension[i].low + 1;
        if (extent != 1 && a->dimension[i].step * span != expected)
            return extent == 0;
        if (extent <= 0) /* none, or so many as only the program knows */
            return true;
        expected *= extent;
    }
    return true;
}

void *uno_f08_data(const struct uno_f08_array *array) {
    static int nothing; /* an array without elements may have no address */
    if (array->data == &MPIR_F08_MPI_BOTTOM)
        return &mpipriv1_.bottom;
    if (array->data == &MPIR_F08_MPI_IN_PLACE)
        return &mpipriv1_.in_place;
    if (!is_whole(array))
        return NULL;
    return array->data ? array->data : &nothing;
}

int MPI_Type_size(int type, int *size);
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, int type, int *made);
int MPI_Type_commit(int *type);
int MPI_Type_free(int *type);

void *uno_f08_part(const struct uno_f08_array *a, void **count, void **type, struct uno_f08_part *part) {
    ptrdiff_t elements = 1;
    int size = 0;
    for (int i = 0; i < a->rank; i++)
        elements *= a->dimension[i].high - a->dimension[i].low + 1;
    part->type = *(int *)*type;
    if (elements != *(int *)*count || MPI_Type_size(part->type, &size) || (size_t)size != a->element)
        return NULL;
    for (int i = 0; i < a->rank; i++) {
        int inner = part->type, extent = (int)(a->dimension[i].high - a->dimension[i].low + 1);
        MPI_Type_create_hvector(extent, 1, a->dimension[i].step * a->span, inner, &part->type);
        if (i)
            MPI_Type_free(&inner);
    }
    MPI_Type_commit(&part->type);
    part->made = true;
    part->count = 1;
    *count = &part->count;
    *type = &part->type;
    return a->data;
}

void uno_f08_part_end(struct uno_f08_part *part) {
    if (part->made)
        MPI_Type_free(&part->type);
}

int MPI_Comm_call_errhandler(int comm, int error);
int MPI_Comm_get_errhandler(int comm, int *handler);
int MPI_Errhandler_free(int *handler);
int uno_f08_fails(const char *name) {
    enum { COMM_SELF = 0x44000001, ERRORS_RETURN = 0x54000001 };
    int handler = 0;
    MPI_Comm_get_errhandler(COMM_SELF, &handler);
    if (handler != ERRORS_RETURN)
        fprintf(stderr,
                "unisono: %s: an array whose elements do not lie behind each other has no type here\n", name);
    MPI_Errhandler_free(&handler);
    MPI_Comm_call_errhandler(COMM_SELF, UNO_FORTRAN_UNSUPPORTED);
    return UNO_FORTRAN_UNSUPPORTED;
}

/* ---- comparisons of handles, which Fortran gets by address -------------------------------------------- */

#define COMPARE(name, operator)                                                                              \
    EXPORT int __mpi_f08_types_MOD_mpi_##name(const int *a, const int *b) {                                  \
        return *a operator* b;                                                                               \
    }
#define COMPARISONS(kind)                                                                                    \
    COMPARE(kind##_eq, ==)                                                                                   \
    COMPARE(kind##_neq, !=)                                                                                  \
    COMPARE(kind##_f08_eq_f, ==)                                                                             \
    COMPARE(kind##_f08_neq_f, !=)                                                                            \
    COMPARE(kind##_f_eq_f08, ==)                                                                             \
    COMPARE(kind##_f_neq_f08, !=)
COMPARISONS(comm)
COMPARISONS(datatype)
COMPARISONS(errhandler)
COMPARISONS(file)
COMPARISONS(group)
COMPARISONS(info)
COMPARISONS(message)
COMPARISONS(op)
COMPARISONS(request)
COMPARISONS(session)
COMPARISONS(win)

/* ---- sizes of Fortran's types -------------------------------------------------------------------------- */

#define SIZE(kind, bytes)                                                                                    \
    EXPORT void __mpi_f08_types_MOD_mpi_sizeof_##kind(const void *x, int *size, int *ierror) {               \
        (void)x;                                                                                             \
        *size = bytes;                                                                                       \
        if (ierror)                                                                                          \
            *ierror = 0;                                                                                     \
    }
SIZE(character, 1)
SIZE(logical, 4)
SIZE(xint8, 1)
SIZE(xint16, 2)
SIZE(xint32, 4)
SIZE(xint64, 8)
SIZE(xreal32, 4)
SIZE(xreal64, 8)
SIZE(xreal128, 16)
SIZE(xcomplex32, 8)
SIZE(xcomplex64, 16)
SIZE(xcomplex128, 32)

/* ---- functions of MPI's own for attributes ------------------------------------------------------------- */

#define KEY_FUNCTIONS(kind)                                                                                  \
    void mpi_##kind##_dup_fn_(void *, void *, void *, void *, void *, int *, int *);                         \
    EXPORT void __mpi_f08_callbacks_MOD_mpi_##kind##_dup_fn(void *object, void *keyval, void *extra,         \
                                                            void *in, void *out, int *flag, int *ierror) {   \
        mpi_##kind##_dup_fn_(object, keyval, extra, in, out, flag, ierror);                                  \
    }                                                                                                        \
    void mpi_##kind##_null_copy_fn_(void *, void *, void *, void *, void *, int *, int *);                   \
    EXPORT void __mpi_f08_callbacks_MOD_mpi_##kind##_null_copy_fn(                                           \
        void *object, void *keyval, void *extra, void *in, void *out, int *flag, int *ierror) {              \
        mpi_##kind##_null_copy_fn_(object, keyval, extra, in, out, flag, ierror);                            \
    }                                                                                                        \
    void mpi_##kind##_null_delete_fn_(void *, void *, void *, void *, int *);                                \
    EXPORT void __mpi_f08_callbacks_MOD_mpi_##kind##_null_delete_fn(void *object, void *keyval, void *value, \
                                                                    void *extra, int *ierror) {              \
        mpi_##kind##_null_delete_fn_(object, keyval, value, extra, ierror);                                  \
    }
KEY_FUNCTIONS(comm)
KEY_FUNCTIONS(type)
KEY_FUNCTIONS(win)

/* ---- what the module has in other ways than mpif.h */

EXPORT void mpi_f_sync_reg_f08ts_(const struct uno_f08_array *array) {
    (void)array;
}
SAME(pmpir_f_sync_reg_f08ts_, mpi_f_sync_reg_f08ts_)

int MPI_Buffer_detach(void *buffer, int *size);
EXPORT void mpi_buffer_detach_f08_(void **buffer, int *size, int *ierror) {
    int error = MPI_Buffer_detach(buffer, size);
    if (ierror)
        *ierror = error;
}
SAME(pmpir_buffer_detach_f08_, mpi_buffer_detach_f08_)
