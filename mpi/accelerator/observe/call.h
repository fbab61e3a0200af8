/* A call of a collective function as those who watch it see it. */

#ifndef UNO_CALL_H
#define UNO_CALL_H

#include "accelerator/host/host.h"
#include "collective/data.h"
#include "collective/ops.h"

/* A collective call, in the same words for all functions; what a function does not have is 0. */
struct uno_watched_call {
    const char *name; /* "MPI_Bcast" */
    enum uno_op code; /* UNO_MPI_...; of a function that is not accelerated, that of the alike one */
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
    void *copy; /* what `out` held before the call, for the host to work on; NULL: it is not to be checked */
    void *memory;
    char *puts; /* of an operation that combines: what all ranks put, packed, rank by rank */
};

#endif
