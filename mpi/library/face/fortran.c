/* Entries of Fortran, for either ABI, that differ from C in more than addresses and handles. */

#include UNO_FORTRAN_ABI

/* ---- the start ---------------------------------------------------------------------------------------- */

int UNO_C(Init)(int *argc, char ***argv);
int UNO_C(Init_thread)(int *argc, char ***argv, int required, int *provided);
int UNO_C(Pcontrol)(const int level, ...);
int UNO_C(Buffer_detach)(void *buffer, int *size);

EXPORT void mpi_init_(int *ierror) {
    *ierror = UNO_C(Init)(NULL, NULL);
}

EXPORT void mpi_init_thread_(const int *required, int *provided, int *ierror) {
    *ierror = UNO_C(Init_thread)(NULL, NULL, *required, provided);
}

EXPORT void mpi_pcontrol_(const int *level, int *ierror) {
    *ierror = UNO_C(Pcontrol)(*level);
}

/* The program knows which buffer it was. */
EXPORT void mpi_buffer_detach_(void *buffer, int *size, int *ierror) {
    void *detached;
    (void)buffer;
    *ierror = UNO_C(Buffer_detach)(&detached, size);
}

/* MPI_CONVERSION_FN_NULL, which stands for no function. */
EXPORT void mpi_conversion_fn_null_(void) {}
SAME(mpi_conversion_fn_null, mpi_conversion_fn_null_)
SAME(mpi_conversion_fn_null__, mpi_conversion_fn_null_)

/* ---- info objects ------------------------------------------------------------------------------------- */

int UNO_C(Info_create_env)(int argc, char *argv[], uno_face_info *info);
EXPORT void mpi_info_create_env_(int *info, int *ierror) {
    uno_face_info made = 0;
    *ierror = UNO_C(Info_create_env)(0, NULL, &made);
    if (made)
        *info = uno_f_info(made);
}

/* The length in Fortran does not count the terminating zero. */
int UNO_C(Info_get_string)(uno_face_info info, const char *key, int *buflen, char *value, int *flag);
EXPORT void mpi_info_get_string_(const int *info, const char *key, int *buflen, char *value, int *flag,
                                 int *ierror, uno_fortran_length length_key,
                                 uno_fortran_length length_value) {
    char the_key[length_key + 1], the_value[UNO_FORTRAN_STRING];
    int n = *buflen <= 0 ? 0 : *buflen < UNO_FORTRAN_STRING ? *buflen + 1 : UNO_FORTRAN_STRING;
    *ierror = UNO_C(Info_get_string)(uno_c_info(*info), uno_fortran_string(key, length_key, the_key), &n,
                                     uno_fortran_unset(the_value), flag);
    if (*ierror || !*flag)
        return;
    uno_fortran_pad(value, length_value, the_value);
    *buflen = n - 1;
}

/* ---- generalized requests ----------------------------------------------------------------------------- */

typedef void query_function(MPI_Aint *extra, struct uno_face_status *status, int *ierror);
typedef void free_function(MPI_Aint *extra, int *ierror);
typedef void cancel_function(MPI_Aint *extra, int *complete, int *ierror);

struct generalized {
    query_function *query;
    free_function *free;
    cancel_function *cancel;
    MPI_Aint *extra; /* the program's variable, which its functions may change, as with other libraries */
};

static int query(void *state, struct uno_face_status *status) {
    struct generalized *g = state;
    int error = 0;
    g->query(g->extra, status, &error);
    return error;
}

static int end(void *state) {
    struct generalized *g = state;
    int error = 0;
    g->free(g->extra, &error);
    free(g);
    return error;
}

static int cancel(void *state, int complete) {
    struct generalized *g = state;
    int error = 0;
    g->cancel(g->extra, &complete, &error);
    return error;
}

int UNO_C(Grequest_start)(int (*query)(void *state, struct uno_face_status *status), int (*end)(void *state),
                          int (*cancel)(void *state, int complete), void *state, uno_face_request *request);
EXPORT void mpi_grequest_start_(query_function *q, free_function *f, cancel_function *c, MPI_Aint *extra,
                                int *request, int *ierror) {
    struct generalized *g = uno_fortran_allocate(sizeof *g);
    *g = (struct generalized){q, f, c, extra};
    uno_face_request made = 0;
    *ierror = UNO_C(Grequest_start)(query, end, cancel, g, &made);
    if (made)
        *request = uno_f_request(made);
    else
        free(g);
}

#include UNO_FORTRAN_NAMES
