/* A call of a collective function, as the observers see it. */

#ifndef UNO_CALL_H
#define UNO_CALL_H

#include "accelerator/host/host.h"
#include "collective/data.h"
#include "collective/ops.h"

/* A collective call, in the same form for all functions; a missing argument is 0. */
struct uno_watched_call {
    const char *name; /* "MPI_Bcast" */
    enum uno_op code; /* UNO_MPI_...; for a function that is not accelerated, the code of the similar one */
    MPI_Comm comm;
    int root;
    const void *in;
    void *out;
    MPI_Count in_count, out_count;
    struct uno_counts in_counts, out_counts;
    MPI_Datatype in_type, out_type;
    MPI_Op op;
    /* from uno_watch_begin to uno_watch_end */
    uint64_t began;
    /* the content of `out` before the call, for the host to work on; NULL: the call is not checked */
    void *copy;
    void *memory;
    char *puts; /* for an operation that combines: the operands of all ranks, packed, rank by rank */
};

#endif
