/* What is recorded of calls, and compared with the host, when the settings ask for it. Otherwise a call pays
 * for one look at uno_watched. */

#ifndef UNO_WATCH_H
#define UNO_WATCH_H

#include "collective/collective.h"
#include "accelerator/host/comm.h"

/* Set once, in MPI_Init. */
extern bool uno_watched;

/* A collective call, in the same words for all functions; what a function does not have is 0. */
struct uno_call {
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

/* Before and after the work. */
void uno_watch_begin(struct uno_call *call);
void uno_watch_end(struct uno_call *call, bool accelerated);

/* A call of a function that sends or receives, which took so many ns. */
void uno_watch_message(const char *name, MPI_Count count, MPI_Datatype type, uint64_t ns);

/* ---- profile.c: counts and times -------------------------------------------------------------------------
 */

/* After the host's MPI_Init, on all ranks. */
void uno_profile_start(void);

/* Before the host's MPI_Finalize, on all ranks: rank 0 writes the file. */
void uno_profile_end(void);

void uno_profile_collective(const struct uno_call *call, bool accelerated, uint64_t ns);

/* ---- check.c: comparison with the host -------------------------------------------------------------------
 */

/* Keep what `out` holds. */
void uno_check_keep(struct uno_call *call);

/* The host has left its result in call->copy: compare, and drop it. */
void uno_check_compare(struct uno_call *call);

/* Operations that this rank has counted as compared, and those of which its part differed. */
void uno_check_counts(uint64_t *compared, uint64_t *different);

/* Before the host's MPI_Finalize, on all ranks: end with an error if anything differed. */
void uno_check_end(void);

#endif
