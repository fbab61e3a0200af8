/* The objects that the calls get, and other things that a call needs. */

#include "fuzz.h"

#include <stdio.h>

int memory[4][ROOM];
#ifdef OPEN_MPI
char nothing[ROOM];
#endif

/* ---- objects for one call ------------------------------------------------------------------------------ */

void good(int error) {
    if (error)
        abort();
}

#define OBJECT(type, kind, outside, make, end)                                                               \
    type new_##kind(void) {                                                                                  \
        type made = outside;                                                                                 \
        if (right.inside)                                                                                    \
            good(make);                                                                                      \
        return made;                                                                                         \
    }                                                                                                        \
    type freed_##kind(void) {                                                                                \
        type made = new_##kind(), kept = made;                                                               \
        if (right.inside)                                                                                    \
            good(end);                                                                                       \
        return kept;                                                                                         \
    }
OBJECT(MPI_Comm, comm, MPI_COMM_WORLD, MPI_Comm_dup(MPI_COMM_SELF, &made), MPI_Comm_free(&made))
/* not the group of a communicator, which keeps it */
OBJECT(MPI_Group, group, MPI_GROUP_EMPTY, MPI_Group_incl(right.group, 1, (int[]){0}, &made),
       MPI_Group_free(&made))
OBJECT(MPI_Datatype, type, MPI_INT, MPI_Type_contiguous(2, MPI_INT, &made), MPI_Type_free(&made))
OBJECT(MPI_Op, op, MPI_SUM, MPI_Op_create(user_function, 1, &made), MPI_Op_free(&made))
OBJECT(MPI_Info, info, MPI_INFO_NULL, MPI_Info_create(&made), MPI_Info_free(&made))
OBJECT(MPI_Errhandler, errhandler, MPI_ERRORS_RETURN, MPI_Comm_create_errhandler(user_errhandler, &made),
       MPI_Errhandler_free(&made))
OBJECT(MPI_Request, request, MPI_REQUEST_NULL,
       MPI_Isend(memory[3], 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made),
       MPI_Wait(&made, MPI_STATUS_IGNORE))
/* of this rank alone */
OBJECT(MPI_Win, win, MPI_WIN_NULL, MPI_Win_allocate(256, 4, MPI_INFO_NULL, MPI_COMM_SELF, memory[3], &made),
       MPI_Win_free(&made))
#undef OBJECT

MPI_Win new_dynamic_win(void) {
    MPI_Win made = MPI_WIN_NULL;
    if (right.inside)
        good(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &made));
    return made;
}

void start_win(MPI_Win win) {
    good(MPI_Win_post(right.own, 0, win));
    good(MPI_Win_start(right.own, 0, win));
}

void complete_win(MPI_Win win) {
    start_win(win);
    good(MPI_Win_complete(win));
}

int new_win_keyval(void) {
    int made = MPI_KEYVAL_INVALID;
    if (right.inside)
        good(MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &made, NULL));
    return made;
}

/* A partitioned message to nobody, or from nobody, that has been started. */
MPI_Request new_partitioned(int sends) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (!right.inside)
        return request;
    if (sends)
        MPI_Psend_init(memory[0], 2, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(memory[0], 2, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    return request;
}

MPI_Request new_persistent(void) {
    MPI_Request made = MPI_REQUEST_NULL;
    if (right.inside)
        good(MPI_Send_init(memory[3], 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made));
    return made;
}

MPI_Request new_grequest(void) {
    MPI_Request made = MPI_REQUEST_NULL;
    if (right.inside)
        good(MPI_Grequest_start(user_query, user_free, user_cancel, NULL, &made));
    return made;
}

MPI_Message new_message(void) {
    MPI_Message made = MPI_MESSAGE_NULL;
    if (right.inside) {
        expect_message();
        good(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, right.comm, &made, MPI_STATUS_IGNORE));
    }
    return made;
}

MPI_Message freed_message(void) {
    MPI_Message made = new_message(), kept = made;
    if (right.inside)
        good(MPI_Mrecv(memory[3], 64, MPI_INT, &made, MPI_STATUS_IGNORE));
    return kept;
}

/* ---- files ----------------------------------------------------------------------------------------------
 */

char file_name[PATH_MAX];

MPI_File new_file(void) {
    MPI_File made = MPI_FILE_NULL;
    if (right.inside)
        good(MPI_File_open(MPI_COMM_SELF, file_name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &made));
    return made;
}

MPI_File freed_file(void) {
    MPI_File made = new_file(), kept = made;
    if (right.inside)
        good(MPI_File_close(&made));
    return kept;
}

const char *new_file_name(void) {
    freed_file();
    return file_name;
}

const char *new_datarep(void) {
    static char name[32];
    static int made;
    snprintf(name, sizeof name, "representation %d", made++);
    return name;
}

/* ---- other things for one call --------------------------------------------------------------------------
 */

int new_comm_keyval(void) {
    int made = MPI_KEYVAL_INVALID;
    if (right.inside)
        good(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &made, NULL));
    return made;
}

int new_type_keyval(void) {
    int made = MPI_KEYVAL_INVALID;
    if (right.inside)
        good(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &made, NULL));
    return made;
}

void *new_memory(void) {
    void *made = memory[3];
    if (right.inside)
        good(MPI_Alloc_mem(64, MPI_INFO_NULL, &made));
    return made;
}

int new_errorclass(void) {
    int made = MPI_ERR_OTHER;
    if (right.inside)
        good(MPI_Add_error_class(&made));
    return made;
}

int new_errorcode(void) {
    int made = MPI_ERR_OTHER;
    if (right.inside)
        good(MPI_Add_error_code(right.errorclass, &made));
    return made;
}

#define DROP(type, kind, null, end)                                                                          \
    void drop_##kind(type *made) {                                                                           \
        if (*made != null)                                                                                   \
            end(made);                                                                                       \
    }
DROP(MPI_Comm, comm, MPI_COMM_NULL, MPI_Comm_free)
DROP(MPI_Group, group, MPI_GROUP_NULL, MPI_Group_free)
DROP(MPI_Datatype, type, MPI_DATATYPE_NULL, MPI_Type_free)
DROP(MPI_Op, op, MPI_OP_NULL, MPI_Op_free)
DROP(MPI_Info, info, MPI_INFO_NULL, MPI_Info_free)
DROP(MPI_Errhandler, errhandler, MPI_ERRHANDLER_NULL, MPI_Errhandler_free)
DROP(MPI_File, file, MPI_FILE_NULL, MPI_File_close)
#undef DROP

/* Wait until the request is done, if it ever is; otherwise drop it. */
void drop_request(MPI_Request *request) {
    int done = 0;
    for (int i = 0; i < 1000 && !done && *request != MPI_REQUEST_NULL; i++)
        if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return;
    if (!done && *request != MPI_REQUEST_NULL && MPI_Cancel(request) == MPI_SUCCESS)
        MPI_Wait(request, MPI_STATUS_IGNORE);
    if (*request != MPI_REQUEST_NULL)
        MPI_Request_free(request);
}

void drop_message(MPI_Message *message) {
    if (*message != MPI_MESSAGE_NULL)
        MPI_Mrecv(memory[3], 64, MPI_INT, message, MPI_STATUS_IGNORE);
}

/* End all epochs that it may be in, and free it. */
void drop_win(MPI_Win *win) {
    int flag = 1;
    if (*win == MPI_WIN_NULL)
        return;
    MPI_Win_set_errhandler(*win, MPI_ERRORS_RETURN);
    MPI_Win_unlock(0, *win);
    MPI_Win_unlock_all(*win);
    MPI_Win_complete(*win);
    if (MPI_Win_test(*win, &flag) == MPI_SUCCESS && !flag) {
        good(MPI_Win_start(right.own, 0, *win));
        good(MPI_Win_complete(*win));
        good(MPI_Win_wait(*win));
    }
    MPI_Win_free(win);
}

static MPI_Request expected = MPI_REQUEST_NULL;

void expect_message(void) {
    good(MPI_Isend(memory[3], 2, MPI_INT, right.rank, 7, right.comm, &expected));
}

void expect_receive(void) {
    good(MPI_Irecv(memory[3], 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, right.comm, &expected));
}

void tidy(void) {
    int flag = 1;
    while (flag &&
           MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, right.comm, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS)
        if (flag)
            MPI_Recv(memory[3], 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, right.comm, MPI_STATUS_IGNORE);
    drop_request(&expected);
    MPI_Comm_set_errhandler(right.comm, MPI_ERRORS_RETURN);
}
