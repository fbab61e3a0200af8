/* The functions that a program calls instead of the host's. Arguments that are not plainly valid are left to
 * the host, so that its errors are those that the program knows. */

#include "accelerator/entry/calls.def"
#include "accelerator/entry/dispatch.h"
#include "accelerator/observe/watch.h"
#include "engine/kernel.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- accelerated collectives ------------------------------------------------------------------------- */

static UNO_COLD int report(MPI_Comm comm, int error) {
    HOST(Comm_call_errhandler)(comm, error);
    return error;
}

#if UNO_MPI_OPENMPI
/* The communicator's state is left to the host, in each of its operations. */
EXPORT int MPIX_Comm_revoke(MPI_Comm comm) {
    if (!HOST(Comm_revoke))
        return report(comm, MPI_ERR_UNSUPPORTED_OPERATION);
    int result = HOST(Comm_revoke)(comm);
    if (result == MPI_SUCCESS)
        uno_comm_revoke(comm);
    return result;
}
#endif

static UNO_COLD int watch_Barrier(MPI_Comm comm) {
    struct uno_watched_call what = {.name = "MPI_Barrier", .comm = comm, UNO_SAYS_Barrier(false)};
    uno_watch_begin(&what);
    bool done = uno_enter_barrier(comm);
    int result = done ? MPI_SUCCESS : HOST(Barrier)(comm);
    uno_watch_end(&what, done);
    return result;
}

EXPORT int MPI_Barrier(MPI_Comm comm) {
    if (UNO_UNLIKELY(uno_watched))
        return watch_Barrier(comm);
    return uno_enter_barrier(comm) ? MPI_SUCCESS : HOST(Barrier)(comm);
}

/* Define a function in the form whose name ends in `suffix`. */
#define FUNCTION(function, suffix, N, A, LARGE, call)                                                        \
    static UNO_COLD int watch_##function##suffix(UNO_PARAMETERS_##function(N, A)) {                          \
        int error = MPI_SUCCESS;                                                                             \
        struct uno_watched_call what = {.name = "MPI_" #function, .comm = comm, UNO_SAYS_##function(LARGE)}; \
        uno_watch_begin(&what);                                                                              \
        bool done = call;                                                                                    \
        int result = done ? error : HOST(function##suffix)(UNO_ARGUMENTS_##function);                        \
        uno_watch_end(&what, done);                                                                          \
        if (what.copy && done) {                                                                             \
            out = what.copy;                                                                                 \
            HOST(function##suffix)(UNO_ARGUMENTS_##function);                                                \
            uno_watch_compare(&what);                                                                        \
        }                                                                                                    \
        return result == error && error != MPI_SUCCESS ? report(comm, error) : result;                       \
    }                                                                                                        \
    EXPORT int MPI_##function##suffix(UNO_PARAMETERS_##function(N, A)) {                                     \
        if (UNO_UNLIKELY(uno_watched))                                                                       \
            return watch_##function##suffix(UNO_ARGUMENTS_##function);                                       \
        int error = MPI_SUCCESS;                                                                             \
        if (call)                                                                                            \
            return UNO_LIKELY(error == MPI_SUCCESS) ? error : report(comm, error);                           \
        return HOST(function##suffix)(UNO_ARGUMENTS_##function);                                             \
    }

/* ---- calls that are only counted
 * ------------------------------------------------------------------------ */

#define COUNT(function, suffix, alike, LARGE, host)                                                          \
    if (UNO_LIKELY(!uno_watched))                                                                            \
        return host;                                                                                         \
    struct uno_watched_call what = {.name = "MPI_" #function, .comm = comm, UNO_SAYS_##alike(LARGE)};        \
    what.began = uno_kernel_now();                                                                           \
    int result = host;                                                                                       \
    uno_watch_end(&what, false);                                                                             \
    return result;

#define NEIGHBOR_FUNCTION(function, suffix, N, A, LARGE, alike)                                              \
    EXPORT int MPI_##function##suffix(UNO_PARAMETERS_##alike(N, A)) {                                        \
        COUNT(function, suffix, alike, LARGE, HOST(function##suffix)(UNO_ARGUMENTS_##alike))                 \
    }

#define NONBLOCKING_FUNCTION(function, suffix, N, A, LARGE, alike)                                           \
    EXPORT int MPI_##function##suffix(UNO_PARAMETERS_##alike(N, A), MPI_Request *request) {                  \
        COUNT(function, suffix, alike, LARGE, HOST(function##suffix)(UNO_ARGUMENTS_##alike, request))        \
    }

EXPORT int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    COUNT(Ibarrier, , Barrier, false, HOST(Ibarrier)(comm, request))
}

/* ---- messages, which are only counted ---------------------------------------------------------------- */

#define MESSAGE(function, suffix, count, type, host)                                                         \
    if (UNO_LIKELY(!uno_watched))                                                                            \
        return host;                                                                                         \
    uint64_t began = uno_kernel_now();                                                                       \
    int result = host;                                                                                       \
    uno_watch_message("MPI_" #function, count, type, uno_kernel_now() - began);                              \
    return result;

#define SEND_FUNCTION(function, suffix, N, more)                                                             \
    EXPORT int MPI_##function##suffix(const void *in, N count, MPI_Datatype type, int to, int tag,           \
                                      MPI_Comm comm UNO_PARAMETER_##more) {                                  \
        MESSAGE(function, suffix, count, type,                                                               \
                HOST(function##suffix)(in, count, type, to, tag, comm UNO_ARGUMENT_##more))                  \
    }
#define RECEIVE_FUNCTION(function, suffix, N, more)                                                          \
    EXPORT int MPI_##function##suffix(void *out, N count, MPI_Datatype type, int from, int tag,              \
                                      MPI_Comm comm UNO_PARAMETER_##more) {                                  \
        MESSAGE(function, suffix, count, type,                                                               \
                HOST(function##suffix)(out, count, type, from, tag, comm UNO_ARGUMENT_##more))               \
    }
#define BOTH_FUNCTIONS(suffix, N)                                                                            \
    EXPORT int MPI_Sendrecv##suffix(const void *in, N in_count, MPI_Datatype in_type, int to, int in_tag,    \
                                    void *out, N out_count, MPI_Datatype out_type, int from, int out_tag,    \
                                    MPI_Comm comm, MPI_Status *status){MESSAGE(                              \
        Sendrecv, suffix, in_count, in_type,                                                                 \
        HOST(Sendrecv##suffix)(                                                                              \
            in, in_count, in_type, to, in_tag, out, out_count, out_type, from, out_tag, comm,                \
            status))} EXPORT int MPI_Sendrecv_replace##suffix(void *data, N count, MPI_Datatype type,        \
                                                              int to, int in_tag, int from, int out_tag,     \
                                                              MPI_Comm comm, MPI_Status *status) {           \
        MESSAGE(Sendrecv_replace, suffix, count, type,                                                       \
                HOST(Sendrecv_replace##suffix)(data, count, type, to, in_tag, from, out_tag, comm, status))  \
    }

/* ---- one-sided --------------------------------------------------------------------------------------- */

/* The host's collectives bring earlier messages along, and MPICH's MPI_Win_test reports operations that had
 * come before it was called. Ours bring nothing, so the test is repeated until those have come. */
EXPORT int MPI_Win_test(MPI_Win win, int *flag) {
    enum { TIMES = 16 };
    int result = HOST(Win_test)(win, flag);
    for (int i = 1; i < TIMES && result == MPI_SUCCESS && !*flag; i++)
        result = HOST(Win_test)(win, flag);
    return result;
}

/* ---- both forms -------------------------------------------------------------------------------------- */

#define IN_COUNTS (&(struct uno_counts){in_counts, in_places, sizeof *in_counts > sizeof(int)})
#define OUT_COUNTS (&(struct uno_counts){out_counts, out_places, sizeof *out_counts > sizeof(int)})
#define COUNTS (&(struct uno_counts){counts, NULL, sizeof *counts > sizeof(int)})

#define X(name, call) FUNCTION(name, , int, int, false, call)
UNO_CALLS(X)
#undef X
#define X(name, alike) NEIGHBOR_FUNCTION(name, , int, int, false, alike)
UNO_NEIGHBOR_CALLS(X)
#undef X
#define X(name, alike) NONBLOCKING_FUNCTION(name, , int, int, false, alike)
UNO_NONBLOCKING_CALLS(X)
#undef X
#define X(name, more) SEND_FUNCTION(name, , int, more)
UNO_SEND_CALLS(X)
#undef X
#define X(name, more) RECEIVE_FUNCTION(name, , int, more)
UNO_RECEIVE_CALLS(X)
#undef X
BOTH_FUNCTIONS(, int)

#ifdef UNO_MPI_LARGE_COUNTS
#define X(name, call) FUNCTION(name, _c, MPI_Count, MPI_Aint, true, call)
UNO_CALLS(X)
#undef X
#define X(name, alike) NEIGHBOR_FUNCTION(name, _c, MPI_Count, MPI_Aint, true, alike)
UNO_NEIGHBOR_CALLS(X)
#undef X
#define X(name, alike) NONBLOCKING_FUNCTION(name, _c, MPI_Count, MPI_Aint, true, alike)
UNO_NONBLOCKING_CALLS(X)
#undef X
#define X(name, more) SEND_FUNCTION(name, _c, MPI_Count, more)
UNO_SEND_CALLS(X)
#undef X
#define X(name, more) RECEIVE_FUNCTION(name, _c, MPI_Count, more)
UNO_RECEIVE_CALLS(X)
#undef X
BOTH_FUNCTIONS(_c, MPI_Count)
#endif
