/* Processes of a job that should be PEs and are none. */

#ifndef UNO_STRANGERS_H
#define UNO_STRANGERS_H

#include "run.h"

/* Look whether a process has loaded an MPI library from elsewhere, as long as no PE has checked in. Called
 * when run->search says so, and at first. It sets run->search to the next time, at longer and longer
 * intervals, since most programs that load such a library do so soon; to 0 when no search is needed any
 * more. */
void uno_strangers_search(struct uno_run *run);

/* Report processes that are left when all PEs have ended, and let the job fail: a PE may have forked, and the
 * child have gone on in its place. The processes will be killed. */
void uno_strangers_left(struct uno_run *run);

/* Report, when all have ended well, that none of them was ever a PE, and let the job fail if they used
 * another MPI library: they knew nothing of each other. */
void uno_strangers_tell(struct uno_run *run);

/* Return how many PEs of this launcher have checked in. */
int uno_strangers_pes(const struct uno_run *run);

#endif
