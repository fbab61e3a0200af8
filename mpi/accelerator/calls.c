/* The functions that a program calls instead of the host's. Whatever is not plainly valid is left to the
 * host, so that its errors are those that the program knows. */

#include "exchange.h"
#include "settings.h"
#include "datatype.h"

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

static bool barrier(MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    if (UNO_UNLIKELY(!c->lane))
        return false;
    struct uno_pe *pe = uno_comm_pe(c);
    uint64_t nothing = 0;
    uno_board_meet(pe, UNO_UNTYPED(UNO_MPI_BARRIER), &nothing, 1);
    uno_board_leave(pe);
    return true;
}

EXPORT int MPI_Barrier(MPI_Comm comm) {
    return barrier(comm) ? MPI_SUCCESS : HOST(Barrier)(comm);
}

static bool bcast(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    const struct uno_datatype *t = uno_datatype_of(type);
    size_t bytes = (size_t)count * t->size;
    if (!c->lane || !t->size || count <= 0 || bytes > UNO_BYTES || root < 0 || root >= c->size || !buffer)
        return false;
    const void *const *data = uno_exchange_small(c, UNO_MPI_BCAST, buffer, bytes);
    if (c->rank != root)
        memcpy(buffer, data[root], bytes);
    uno_board_leave(c->lane->pe);
    return true;
}

static bool allreduce(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm) {
    const struct uno_comm *c = uno_comm_of(comm);
    const struct uno_datatype *t = uno_datatype_of(type);
    enum uno_reduction reduction = uno_reduction_of(op);
    size_t bytes = (size_t)count * t->size;
    if (!c->lane || !t->reduce || count <= 0 || bytes > UNO_BYTES || reduction == UNO_NO_REDUCTION ||
        !t->reduce[reduction] || !in || !out || in == out)
        return false;
    const void *const *data = uno_exchange_small(c, UNO_MPI_ALLREDUCE, in == MPI_IN_PLACE ? out : in, bytes);
    t->reduce[reduction](data, c->size, (size_t)count, out);
    uno_board_leave(c->lane->pe);
    return true;
}

#define CALLS(suffix, integer)                                                                               \
    EXPORT int MPI_Bcast##suffix(void *buffer, integer count, MPI_Datatype type, int root, MPI_Comm comm) {  \
        return bcast(buffer, count, type, root, comm)                                                        \
                   ? MPI_SUCCESS                                                                             \
                   : HOST(Bcast##suffix)(buffer, count, type, root, comm);                                   \
    }                                                                                                        \
    EXPORT int MPI_Allreduce##suffix(const void *in, void *out, integer count, MPI_Datatype type, MPI_Op op, \
                                     MPI_Comm comm) {                                                        \
        return allreduce(in, out, count, type, op, comm)                                                     \
                   ? MPI_SUCCESS                                                                             \
                   : HOST(Allreduce##suffix)(in, out, count, type, op, comm);                                \
    }
CALLS(, int)
#ifdef UNO_MPI_LARGE_COUNTS
CALLS(_c, MPI_Count)
#endif
