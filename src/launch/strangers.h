/* Processes of a job that are no PEs, and should be. */

#ifndef UNO_STRANGERS_H
#define UNO_STRANGERS_H

#include "run.h"

/* As long as nobody has checked in: look whether a process has loaded an MPI library from elsewhere. Then, or
 * in the first call, run->search says when to look again, at longer and longer intervals, since most programs
 * that load one do so soon; it is 0 if that is no more needed. */
void uno_strangers_search(struct uno_run *run);

/* All PEs have ended, and whoever else is left will be killed: a PE may have forked, and the child go on in
 * its place. If so, say it, and let the job fail. */
void uno_strangers_left(struct uno_run *run);

/* All have ended. If that was well, but none was ever a PE, they knew nothing of each other: say it, and let
 * the job fail if they used another MPI library. */
void uno_strangers_tell(struct uno_run *run);

#endif
