/* The steps that every MPI function takes before and after its work: it checks its arguments, turns handles
 * into objects, and hands an error to its handler. */

#ifndef UNO_MPI_CHECK_H
#define UNO_MPI_CHECK_H

#include <limits.h>

#include "library/communicator/comm.h"
#include "library/communicator/errhandler.h"
#include "library/communicator/make.h"
#include "library/communicator/owner.h"
#include "library/file/file.h"
#include "library/object/info.h"
#include "library/object/op.h"
#include "library/rank/threads.h"
#include "library/start/init.h"
#include "library/type/address.h"
#include "library/type/predefined.h"
#include "library/window/window.h"

/* A call of an MPI function. */
struct uno_call {
    const char *name;
    int error;                 /* of its arguments: the first one, or if it was a quick look any one */
    struct uno_mpi_comm *comm; /* whose error handler is called; NULL: as uno_call_raise's */
    struct uno_owner *owner;   /* a window or its like, whose handler is called instead; comm: its ranks */
};

/* End the process with a message: MPI_Init has not been called, or MPI_Finalize has. */
void uno_call_outside(const char *name) __attribute__((noreturn, cold));

/* Take the rank for a call of a thread that has not got it (threads.h), or end the process likewise.
 * uno_threads_leave gives it back. */
void uno_call_enter(const char *name) __attribute__((cold));

/* Return true if a call that is allowed before MPI_Init and after MPI_Finalize too comes in between, when it
 * needs the rank. */
static inline bool uno_call_between(void) {
    int pe, thread;
    return uno_is_between(&pe, &thread);
}

/* Raise MPI_ERR_UNSUPPORTED_OPERATION at that communicator: the library does not have the function. instead:
 * what works here; NULL: nothing like it. */
int uno_call_unsupported(const char *name, const char *instead, MPI_Comm comm) __attribute__((cold));

/* ---- arguments --------------------------------------------------------------------------------------- */

/* The functions that check are in line, since correct arguments, which nearly all are, take only a few
 * comparisons. An MPI function first checks with `quick` true, a constant, and without messages, so that it
 * needs neither memory nor a call; if something is wrong it checks again in a function of its own, which says
 * what is wrong. */
#define UNO_CHECK static inline __attribute__((always_inline))

/* Report that an argument is wrong; of several wrong arguments only the first one is reported. */
void uno_check_failed(struct uno_call *call, int class, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));
#define UNO_WRONG(call, quick, class, ...)                                                                   \
    ((quick) ? (void)((call)->error = -1) : uno_check_failed(call, class, __VA_ARGS__))

UNO_CHECK struct uno_mpi_comm *uno_check_comm(struct uno_call *call, bool quick, const char *name,
                                              MPI_Comm comm) {
    struct uno_mpi_comm *found = uno_find_comm(comm);
    if (UNO_UNLIKELY(!found))
        UNO_WRONG(call, quick, MPI_ERR_COMM, "%s is no communicator%s", name,
                  comm == MPI_COMM_NULL ? ": MPI_COMM_NULL" : "");
    call->comm = found;
    return found;
}

/* Check a communicator that must have one group: an intercommunicator is refused. */
UNO_CHECK struct uno_mpi_comm *uno_check_intra(struct uno_call *call, bool quick, const char *name,
                                               MPI_Comm comm) {
    struct uno_mpi_comm *found = uno_check_comm(call, quick, name, comm);
    if (UNO_UNLIKELY(found && found->remote))
        UNO_WRONG(call, quick, MPI_ERR_COMM, "%s is an intercommunicator, for which this is not", name);
    return found;
}

UNO_CHECK struct uno_mpi_type *uno_check_type(struct uno_call *call, bool quick, const char *name,
                                              MPI_Datatype type) {
    struct uno_mpi_type *found = uno_find_type(type);
    if (UNO_UNLIKELY(!found))
        UNO_WRONG(call, quick, MPI_ERR_TYPE, "%s is no data type%s", name,
                  type == MPI_DATATYPE_NULL ? ": MPI_DATATYPE_NULL" : "");
    return found;
}

UNO_CHECK struct uno_mpi_type *uno_check_committed(struct uno_call *call, bool quick, const char *name,
                                                   MPI_Datatype type) {
    struct uno_mpi_type *found = uno_find_committed(type);
    if (UNO_LIKELY(found != NULL))
        return found;
    found = uno_check_type(call, quick, name, type);
    if (found)
        UNO_WRONG(call, quick, MPI_ERR_TYPE, "%s has not been committed (MPI_Type_commit)", name);
    return found;
}

/* Check the type of a message. Any handle will do if the message goes to MPI_PROC_NULL, or comes from it. */
UNO_CHECK struct uno_mpi_type *uno_check_carried(struct uno_call *call, bool quick, const char *name,
                                                 MPI_Datatype type, int peer) {
    struct uno_mpi_type *found = uno_find_committed(type);
    if (UNO_LIKELY(found != NULL))
        return found;
    return peer == MPI_PROC_NULL ? uno_find_type(MPI_BYTE) : uno_check_committed(call, quick, name, type);
}

#define UNO_CHECK_OBJECT(kind, handle_type, class, what)                                                     \
    UNO_CHECK struct uno_mpi_##kind *uno_check_##kind(struct uno_call *call, bool quick, const char *name,   \
                                                      handle_type handle) {                                  \
        struct uno_mpi_##kind *found = uno_find_##kind(handle);                                              \
        if (UNO_UNLIKELY(!found))                                                                            \
            UNO_WRONG(call, quick, class, "%s is no " what, name);                                           \
        return found;                                                                                        \
    }
UNO_CHECK_OBJECT(group, MPI_Group, MPI_ERR_GROUP, "group")
UNO_CHECK_OBJECT(op, MPI_Op, MPI_ERR_OP, "operation")
UNO_CHECK_OBJECT(errhandler, MPI_Errhandler, MPI_ERR_ERRHANDLER, "error handler")
UNO_CHECK_OBJECT(info, MPI_Info, MPI_ERR_INFO, "info object")
#undef UNO_CHECK_OBJECT

#define UNO_CHECK_OWNER(kind, handle_type, class, null, what)                                                \
    UNO_CHECK struct uno_mpi_##kind *uno_check_##kind(struct uno_call *call, bool quick, const char *name,   \
                                                      handle_type handle) {                                  \
        struct uno_mpi_##kind *found = uno_find_##kind(handle);                                              \
        if (UNO_UNLIKELY(!found))                                                                            \
            UNO_WRONG(call, quick, class, "%s is no " what "%s", name, handle == null ? ": " #null : "");    \
        call->owner = (struct uno_owner *)found;                                                             \
        call->comm = found ? call->owner->comm : NULL;                                                       \
        return found;                                                                                        \
    }
UNO_CHECK_OWNER(win, MPI_Win, MPI_ERR_WIN, MPI_WIN_NULL, "window")
UNO_CHECK_OWNER(file, MPI_File, MPI_ERR_FILE, MPI_FILE_NULL, "file")
UNO_CHECK_OWNER(session, MPI_Session, MPI_ERR_SESSION, MPI_SESSION_NULL, "session")
#undef UNO_CHECK_OWNER

/* Check an info object of hints, which may be MPI_INFO_NULL: there are none. */
UNO_CHECK struct uno_mpi_info *uno_check_hints(struct uno_call *call, bool quick, const char *name,
                                               MPI_Info info) {
    return info == MPI_INFO_NULL ? NULL : uno_check_info(call, quick, name, info);
}

UNO_CHECK void uno_check_count(struct uno_call *call, bool quick, const char *name, MPI_Count count) {
    if (UNO_UNLIKELY(count < 0))
        UNO_WRONG(call, quick, MPI_ERR_COUNT, "%s is %lld", name, (long long)count);
}

UNO_CHECK void uno_check_pointer(struct uno_call *call, bool quick, const char *name, const void *pointer) {
    if (UNO_UNLIKELY(!pointer))
        UNO_WRONG(call, quick, MPI_ERR_ARG, "%s is a null pointer", name);
}

/* Check a list of so many numbers. */
UNO_CHECK void uno_check_array(struct uno_call *call, bool quick, const char *name, const void *array,
                               MPI_Count length) {
    if (UNO_UNLIKELY(!array) && length > 0)
        UNO_WRONG(call, quick, MPI_ERR_ARG, "%s is a null pointer", name);
}

/* Check the address of data of the program. A quick check takes an address at which no data can lie for
 * wrong; it may be right nevertheless, if there are no data, or if their type has their addresses. */
UNO_CHECK void uno_check_buffer(struct uno_call *call, bool quick, const char *name, const void *at,
                                MPI_Count count, const struct uno_mpi_type *type) {
    if (UNO_LIKELY(uno_is_address(at)))
        return;
    if (quick)
        call->error = -1;
    else if (!call->error)
        call->error = uno_address_check(name, at, count, type);
}

/* Check a number that must be a rank of call->comm, or one of two other numbers. */
UNO_CHECK void uno_check_rank(struct uno_call *call, bool quick, const char *name, int rank, int other,
                              int another, int class) {
    if (UNO_LIKELY(call->comm != NULL) && UNO_UNLIKELY((unsigned)rank >= (unsigned)call->comm->peers) &&
        rank != other && rank != another)
        UNO_WRONG(call, quick, class, "%s is %d; the ranks are 0 to %d", name, rank, call->comm->peers - 1);
}

UNO_CHECK void uno_check_dest(struct uno_call *call, bool quick, const char *name, int rank) {
    uno_check_rank(call, quick, name, rank, MPI_PROC_NULL, MPI_PROC_NULL, MPI_ERR_RANK);
}
UNO_CHECK void uno_check_source(struct uno_call *call, bool quick, const char *name, int rank) {
    uno_check_rank(call, quick, name, rank, MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ERR_RANK);
}
UNO_CHECK void uno_check_root(struct uno_call *call, bool quick, const char *name, int rank) {
    bool inter = call->comm && call->comm->remote;
    uno_check_rank(call, quick, name, rank, inter ? MPI_ROOT : 0, inter ? MPI_PROC_NULL : 0, MPI_ERR_ROOT);
}

UNO_CHECK void uno_check_tag(struct uno_call *call, bool quick, const char *name, int tag) {
    if (UNO_UNLIKELY(tag < 0))
        UNO_WRONG(call, quick, MPI_ERR_TAG, "%s is %d; tags are numbers from 0", name, tag);
}
UNO_CHECK void uno_check_anytag(struct uno_call *call, bool quick, const char *name, int tag) {
    if (UNO_UNLIKELY(tag < 0 && tag != MPI_ANY_TAG))
        UNO_WRONG(call, quick, MPI_ERR_TAG, "%s is %d; tags are numbers from 0, and MPI_ANY_TAG", name, tag);
}

/* Return the number as an int of the program; MPI_UNDEFINED stands for one that does not fit. */
static inline int uno_narrow(MPI_Count count) {
    return count > INT_MAX ? MPI_UNDEFINED : (int)count;
}

#endif
