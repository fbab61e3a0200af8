/* Comparison of accelerated collectives with the host. */

#ifndef UNO_CHECK_H
#define UNO_CHECK_H

#include "accelerator/observe/call.h"

/* Keep what `out` holds. */
void uno_check_keep(struct uno_watched_call *call);

/* The host has left its result in call->copy: compare, and drop it. */
void uno_check_compare(struct uno_watched_call *call);

/* Operations that this rank has counted as compared, and those of which its part differed. */
void uno_check_counts(uint64_t *compared, uint64_t *different);

/* End with an error if anything differed. Called on all ranks, before the host's MPI_Finalize. */
void uno_check_end(void);

#endif
