/* Attributes of Fortran programs, of either ABI: numbers, whose functions get all by address. */

#include UNO_FORTRAN_ABI

typedef void copy_function(int *object, int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, int *flag,
                           int *ierror);
typedef void delete_function(int *object, int *keyval, MPI_Aint *value, MPI_Aint *extra, int *ierror);

/* Kept for as long as the process lives: attributes may outlive their key. */
struct key {
    copy_function *copy;
    delete_function *delete;
    MPI_Aint extra;
};

static int copy(int object, int keyval, struct key *key, void *in, void *out, int *flag) {
    MPI_Aint value = (MPI_Aint)in, copied = 0;
    int error = 0;
    key->copy(&object, &keyval, &key->extra, &value, &copied, flag, &error);
    memcpy(out, &copied, sizeof copied);
    return error;
}

static int delete (int object, int keyval, void *value, struct key *key) {
    MPI_Aint number = (MPI_Aint)value;
    int error = 0;
    key->delete (&object, &keyval, &number, &key->extra, &error);
    return error;
}

/* The functions of MPI's own. */
#define KEY_NAMES(name)                                                                                      \
    SAME(mpi_##name, mpi_##name##_) SAME(mpi_##name##__, mpi_##name##_) SAME(ompi_##name##_f, mpi_##name##_)
#define KEY_FUNCTIONS(kind)                                                                                  \
    EXPORT void mpi_##kind##dup_fn_(int *object, int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out,  \
                                    int *flag, int *ierror) {                                                \
        (void)object, (void)keyval, (void)extra;                                                             \
        *out = *in;                                                                                          \
        *flag = 1;                                                                                           \
        *ierror = 0;                                                                                         \
    }                                                                                                        \
    EXPORT void mpi_##kind##null_copy_fn_(int *object, int *keyval, MPI_Aint *extra, MPI_Aint *in,           \
                                          MPI_Aint *out, int *flag, int *ierror) {                           \
        (void)object, (void)keyval, (void)extra, (void)in, (void)out;                                        \
        *flag = 0;                                                                                           \
        *ierror = 0;                                                                                         \
    }                                                                                                        \
    EXPORT void mpi_##kind##null_delete_fn_(int *object, int *keyval, MPI_Aint *value, MPI_Aint *extra,      \
                                            int *ierror) {                                                   \
        (void)object, (void)keyval, (void)value, (void)extra;                                                \
        *ierror = 0;                                                                                         \
    }                                                                                                        \
    KEY_NAMES(kind##dup_fn)                                                                                  \
    KEY_NAMES(kind##null_copy_fn)                                                                            \
    KEY_NAMES(kind##null_delete_fn)
KEY_FUNCTIONS()
KEY_FUNCTIONS(comm_)
KEY_FUNCTIONS(type_)
KEY_FUNCTIONS(win_)

/* Return an attribute as Fortran gets it, from what C gets. MPI's own are addresses of numbers there; but for
 * the base of a window, which is an address in both. */
static MPI_Aint value_of(int keyval, MPI_Aint found) {
    const void *at = (const void *)found; // NOLINT(performance-no-int-to-ptr)
    int key = uno_fortran_key(keyval);
    if (!uno_fortran_own_key(keyval) || key == UNO_FORTRAN_WIN_BASE)
        return found;
    return key == UNO_FORTRAN_WIN_SIZE ? *(const MPI_Aint *)at : *(const int *)at;
}

void uno_fortran_attributes(bool calls) __asm__(UNO_FACE_OF_FORTRAN);

/* Make one of C's calls for Fortran, whose attributes are no addresses. */
#define FOR_FORTRAN(call) (uno_fortran_attributes(true), *ierror = (call), uno_fortran_attributes(false))

#define KEYS(Kind, kind)                                                                                     \
    static int copy_##kind(uno_face_##kind object, int keyval, void *extra, void *in, void *out,             \
                           int *flag) {                                                                      \
        return copy(uno_f_##kind(object), keyval, extra, in, out, flag);                                     \
    }                                                                                                        \
    static int delete_##kind(uno_face_##kind object, int keyval, void *value, void *extra) {                 \
        return delete (uno_f_##kind(object), keyval, value, extra);                                          \
    }                                                                                                        \
    int UNO_C(Kind##_create_keyval)(int (*copy)(uno_face_##kind, int, void *, void *, void *, int *),        \
                                    int (*delete)(uno_face_##kind, int, void *, void *), int *keyval,        \
                                    void *extra);                                                            \
    int UNO_C(Kind##_get_attr)(uno_face_##kind object, int keyval, void *value, int *flag);                  \
    int UNO_C(Kind##_set_attr)(uno_face_##kind object, int keyval, void *value);                             \
    EXPORT void mpi_##kind##_create_keyval_(copy_function *c, delete_function *d, int *keyval,               \
                                            const MPI_Aint *extra, int *ierror) {                            \
        struct key *key = uno_fortran_allocate(sizeof *key);                                                 \
        *key = (struct key){c, d, *extra};                                                                   \
        FOR_FORTRAN(UNO_C(Kind##_create_keyval)(copy_##kind, delete_##kind, keyval, key));                   \
    }                                                                                                        \
    EXPORT void mpi_##kind##_set_attr_(const int *object, const int *keyval, const MPI_Aint *value,          \
                                       int *ierror) {                                                        \
        FOR_FORTRAN(UNO_C(Kind##_set_attr)(uno_c_##kind(*object), *keyval, (void *)*value));                 \
    }                                                                                                        \
    EXPORT void mpi_##kind##_get_attr_(const int *object, const int *keyval, MPI_Aint *value, int *flag,     \
                                       int *ierror) {                                                        \
        MPI_Aint found;                                                                                      \
        FOR_FORTRAN(UNO_C(Kind##_get_attr)(uno_c_##kind(*object), uno_fortran_key(*keyval), &found, flag));  \
        if (!*ierror && *flag)                                                                               \
            *value = value_of(*keyval, found);                                                               \
    }
KEYS(Comm, comm)
KEYS(Type, type)
KEYS(Win, win)

/* The older forms, with numbers of 32 bits. */
EXPORT void mpi_keyval_create_(copy_function *c, delete_function *d, int *keyval, const int *extra,
                               int *ierror) {
    MPI_Aint wide = *extra;
    mpi_comm_create_keyval_(c, d, keyval, &wide, ierror);
}

EXPORT void mpi_attr_put_(const int *comm, const int *keyval, const int *value, int *ierror) {
    MPI_Aint wide = *value;
    mpi_comm_set_attr_(comm, keyval, &wide, ierror);
}

EXPORT void mpi_attr_get_(const int *comm, const int *keyval, int *value, int *flag, int *ierror) {
    MPI_Aint wide = 0;
    mpi_comm_get_attr_(comm, keyval, &wide, flag, ierror);
    if (!*ierror && *flag)
        *value = (int)wide;
}

#define UNO_FORTRAN_ATTRIBUTES
#include UNO_FORTRAN_NAMES
