/* What is recorded of calls, and compared with the host, when the settings ask for it. Otherwise a call pays
 * for one look at uno_watched. */

#ifndef UNO_WATCH_H
#define UNO_WATCH_H

#include "accelerator/observe/call.h"

/* Set once, in MPI_Init. */
extern bool uno_watched;

/* After the host's MPI_Init, on all ranks, and before its MPI_Finalize. */
void uno_watch_start(void);
void uno_watch_finish(void);

/* Before and after the work of a call. */
void uno_watch_begin(struct uno_watched_call *call);
void uno_watch_end(struct uno_watched_call *call, bool accelerated);

/* If call->copy is not NULL, after that and after the host has left its result there: compare. */
void uno_watch_compare(struct uno_watched_call *call);

/* A call of a function that sends or receives, which took so many ns. */
void uno_watch_message(const char *name, MPI_Count count, MPI_Datatype type, uint64_t ns);

#endif
