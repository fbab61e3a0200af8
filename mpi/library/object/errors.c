#include "library/object/errors.h"

#include <stdio.h>
#include <stdlib.h>

#include "library/calls.h"
#include "library/rank/threads.h"

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

static int class_of(int errorcode, int *errorclass) {
    const struct uno_user_error *user = user_error(errorcode);
    if (!user && !uno_error_name(errorcode))
        return MPI_ERR_ARG;
    *errorclass = user ? user->class : errorcode;
    return MPI_SUCCESS;
}

static int string_of(int errorcode, char *string, int *resultlen) {
    const char *name = uno_error_name(errorcode);
    if (!name)
        return MPI_ERR_ARG;
    *resultlen = snprintf(string, MPI_MAX_ERROR_STRING, "%s", name);
    return MPI_SUCCESS;
}

/* These two may be called by any thread, which needs the rank for the program's own errors alone. */
int uno_mpi_error_class(int errorcode, int *errorclass) {
    bool entered = errorcode >= USER_FIRST && uno_threads_enter();
    int error = class_of(errorcode, errorclass);
    if (entered)
        uno_threads_leave();
    return error;
}

int uno_mpi_error_string(int errorcode, char *string, int *resultlen) {
    bool entered = errorcode >= USER_FIRST && uno_threads_enter();
    int error = string_of(errorcode, string, resultlen);
    if (entered)
        uno_threads_leave();
    return error;
}

/* Add an entry in the first free place. */
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
