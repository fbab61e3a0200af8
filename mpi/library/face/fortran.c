/* What Fortran programs for MPICH's ABI call, where it differs in more than addresses from C. */

#include "library/face/fortran.h"

#include <stdlib.h>

EXPORT struct uno_fortran_first mpipriv1_;
EXPORT struct uno_fortran_second mpipriv2_;
EXPORT int mpifcmb5_, mpifcmb9_;
EXPORT char mpiprivc_[2];

extern int *const MPI_UNWEIGHTED, *const MPI_WEIGHTS_EMPTY;

const void *uno_fortran_special(const void *buffer) {
    if (buffer == &mpipriv1_.bottom)
        return NULL;
    if (buffer == &mpipriv1_.in_place)
        return (void *)-1;
    return buffer == &mpifcmb5_ ? MPI_UNWEIGHTED : MPI_WEIGHTS_EMPTY;
}

/* ---- the start ---------------------------------------------------------------------------------------- */

int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Pcontrol(const int level, ...);
int MPI_Buffer_detach(void *buffer, int *size);

EXPORT void mpi_init_(int *ierror) {
    *ierror = MPI_Init(NULL, NULL);
}

EXPORT void mpi_init_thread_(const int *required, int *provided, int *ierror) {
    *ierror = MPI_Init_thread(NULL, NULL, *required, provided);
}

EXPORT void mpi_pcontrol_(const int *level, int *ierror) {
    *ierror = MPI_Pcontrol(*level);
}

/* Which buffer it was the program knows. */
EXPORT void mpi_buffer_detach_(void *buffer, int *size, int *ierror) {
    void *detached;
    (void)buffer;
    *ierror = MPI_Buffer_detach(&detached, size);
}

/* ---- attributes: numbers, whose functions get all by address ----------------------------------------------
 */

typedef void copy_function(int *object, int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, int *flag,
                           int *ierror);
typedef void delete_function(int *object, int *keyval, MPI_Aint *value, MPI_Aint *extra, int *ierror);

/* Kept for as long as the process lives: attributes may outlive their key. */
struct key {
    copy_function *copy;
    delete_function *delete;
    MPI_Aint extra;
};

static int copy(int object, int keyval, void *extra, void *in, void *out, int *flag) {
    struct key *key = extra;
    MPI_Aint value = (MPI_Aint)in, copied = 0;
    int error = 0;
    key->copy(&object, &keyval, &key->extra, &value, &copied, flag, &error);
    memcpy(out, &copied, sizeof copied);
    return error;
}

static int delete (int object, int keyval, void *value, void *extra) {
    struct key *key = extra;
    MPI_Aint number = (MPI_Aint)value;
    int error = 0;
    key->delete (&object, &keyval, &number, &key->extra, &error);
    return error;
}

/* The functions of MPI's own. */
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
    }
KEY_FUNCTIONS()
KEY_FUNCTIONS(comm_)
KEY_FUNCTIONS(type_)
KEY_FUNCTIONS(win_)

#define KEYS(Kind, kind)                                                                                     \
    int MPI_##Kind##_create_keyval(int (*copy)(int, int, void *, void *, void *, int *),                     \
                                   int (*delete)(int, int, void *, void *), int *keyval, void *extra);       \
    int MPI_##Kind##_get_attr(int object, int keyval, void *value, int *flag);                               \
    int MPI_##Kind##_set_attr(int object, int keyval, void *value);                                          \
    EXPORT void mpi_##kind##_create_keyval_(copy_function *c, delete_function *d, int *keyval,               \
                                            const MPI_Aint *extra, int *ierror) {                            \
        struct key *key = malloc(sizeof *key);                                                               \
        if (!key)                                                                                            \
            abort();                                                                                         \
        *key = (struct key){c, d, *extra};                                                                   \
        *ierror = MPI_##Kind##_create_keyval(copy, delete, keyval, key);                                     \
    }                                                                                                        \
    EXPORT void mpi_##kind##_set_attr_(const int *object, const int *keyval, const MPI_Aint *value,          \
                                       int *ierror) {                                                        \
        *ierror = MPI_##Kind##_set_attr(*object, *keyval, (void *)*value);                                   \
    }                                                                                                        \
    EXPORT void mpi_##kind##_get_attr_(const int *object, const int *keyval, MPI_Aint *value, int *flag,     \
                                       int *ierror) {                                                        \
        int key = uno_fortran_key(*keyval);                                                                  \
        MPI_Aint found;                                                                                      \
        *ierror = MPI_##Kind##_get_attr(*object, key, &found, flag);                                         \
        if (!*ierror && *flag)                                                                               \
            *value = key != *keyval ? *(const int *)found : found;                                           \
    }
KEYS(Comm, comm)
KEYS(Type, type)

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

/* ---- info objects ---------------------------------------------------------------------------------------
 */

int MPI_Info_create_env(int argc, char *argv[], int *info);
EXPORT void mpi_info_create_env_(int *info, int *ierror) {
    *ierror = MPI_Info_create_env(0, NULL, info);
}

/* Here the length does not count the zero behind. */
int MPI_Info_get_string(int info, const char *key, int *buflen, char *value, int *flag);
EXPORT void mpi_info_get_string_(int *info, const char *key, int *buflen, char *value, int *flag, int *ierror,
                                 size_t length_key, size_t length_value) {
    char the_key[length_key + 1], the_value[UNO_FORTRAN_STRING];
    int n = *buflen <= 0 ? 0 : *buflen < UNO_FORTRAN_STRING ? *buflen + 1 : UNO_FORTRAN_STRING;
    *ierror = MPI_Info_get_string(*info, uno_fortran_string(key, length_key, the_key), &n,
                                  uno_fortran_unset(the_value), flag);
    if (*ierror || !*flag)
        return;
    uno_fortran_pad(value, length_value, the_value);
    *buflen = n - 1;
}

#include "library/fortran_names.h"
