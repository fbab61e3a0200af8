/* The ends of a job's processes, and their consequences. */

#ifndef UNO_ENDS_H
#define UNO_ENDS_H

#include "engine/fault.h"
#include "run.h"

/* A line that says how PE k ended, by its result as of waitpid. */
void uno_end_text(int k, int result, char text[UNO_FAULT_TEXT]);

/* PE k checks in as the process pid; it may have ended since. */
void uno_ends_checked_in(struct uno_run *run, int k, pid_t pid);

/* Take in the ends of PEs below wrappers. */
void uno_ends_look(struct uno_run *run);

/* Count the ends of PEs that no wrapper has explained: the PEs that wait for them will go on. */
void uno_ends_unexplained(struct uno_run *run);

/* Take in the ends of the launcher's own children, and before them those of PEs below wrappers. */
void uno_ends_reap(struct uno_run *run);

#endif
