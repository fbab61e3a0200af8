/* The functions that a program calls instead of the host's. Whatever is not plainly valid is left to the
 * host, so that its errors are those that the program knows. */

#include "calls.def"
#include "collectives.h"
#include "node.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int MPI_Init(int *argc, char ***argv) {
    int result = HOST(Init)(argc, argv);
    if (result == MPI_SUCCESS)
        uno_node_start();
    return result;
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int result = HOST(Init_thread)(argc, argv, required, provided);
    if (result == MPI_SUCCESS)
        uno_node_start();
    return result;
}

EXPORT int MPI_Finalize(void) {
    uno_node_end();
    return HOST(Finalize)();
}

EXPORT int MPI_Barrier(MPI_Comm comm) {
    return uno_barrier(comm) ? MPI_SUCCESS : HOST(Barrier)(comm);
}

static UNO_COLD int report(MPI_Comm comm, int error) {
    HOST(Comm_call_errhandler)(comm, error);
    return error;
}

/* A function in the form whose name ends so. */
#define FUNCTION(name, suffix, N, A, call)                                                                   \
    EXPORT int MPI_##name##suffix(UNO_PARAMETERS_##name(N, A)) {                                             \
        int error = MPI_SUCCESS;                                                                             \
        if (call)                                                                                            \
            return UNO_LIKELY(error == MPI_SUCCESS) ? error : report(comm, error);                           \
        return HOST(name##suffix)(UNO_ARGUMENTS_##name);                                                     \
    }

#define COUNTS(counts, places) (&(struct uno_counts){counts, places, false})
#define X(name, call) FUNCTION(name, , int, int, call)
UNO_CALLS(X)
#undef X
#undef COUNTS

#ifdef UNO_MPI_LARGE_COUNTS
#define COUNTS(counts, places) (&(struct uno_counts){counts, places, true})
#define X(name, call) FUNCTION(name, _c, MPI_Count, MPI_Aint, call)
UNO_CALLS(X)
#undef X
#undef COUNTS
#endif
