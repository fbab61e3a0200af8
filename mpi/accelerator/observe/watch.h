/* The recording of calls, and their comparison with the host, when the settings ask for it. Otherwise a call
 * costs one look at uno_watched. */

#ifndef UNO_WATCH_H
#define UNO_WATCH_H

#include "accelerator/observe/call.h"

/* Set once, in MPI_Init. */
extern bool uno_watched;

/* Called on all ranks: after the host's MPI_Init, and before its MPI_Finalize. */
void uno_watch_start(void);
void uno_watch_finish(void);

/* Called before and after the work of a call. */
void uno_watch_begin(struct uno_watched_call *call);
void uno_watch_end(struct uno_watched_call *call, bool accelerated);

/* Compare the results, if call->copy is not NULL: called after uno_watch_end, when the host has left its
 * result in the copy. */
void uno_watch_compare(struct uno_watched_call *call);

/* Record a call of a function that sends or receives, which took so many ns. */
void uno_watch_message(const char *name, MPI_Count count, MPI_Datatype type, uint64_t ns);

#endif
