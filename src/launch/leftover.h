/* Processes that are left when all PEs have ended, and should not be. */

#ifndef UNO_LEFTOVER_H
#define UNO_LEFTOVER_H

#include "spawn.h"

/* A process that has the job's memory mapped and was started for a PE that ended without checking out: a
 * child that the PE has forked, and that goes on in its place. ended_open: for each PE, whether it ended so.
 * Returns the process, and *pe; 0: there is none. Looks at the children of this process only, which are also
 * those whose parents have ended. */
pid_t uno_leftover(const struct uno_spawn *spawn, const bool *ended_open, int *pe);

#endif
