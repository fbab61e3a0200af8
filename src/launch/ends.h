/* The ends of a job's processes, and their consequences. */

#ifndef UNO_ENDS_H
#define UNO_ENDS_H

#include "engine/fault.h"
#include "run.h"

/* A line that says how PE k of this host ended, by its result as of waitpid; host NULL: the job is on one
 * machine. */
void uno_end_text(int k, const char *host, int result, char text[UNO_FAULT_TEXT]);

/* Return the exit status of a process that ended so. */
int uno_end_status(int result);

/* PE k checks in as the process pid; it may have ended since. */
void uno_ends_checked_in(struct uno_run *run, int k, pid_t pid);

/* PE k of another node has ended so. */
void uno_ends_far(struct uno_run *run, int k, int result);

/* Another node is gone, with all its PEs. */
void uno_ends_node(struct uno_run *run, int node, const char *text);

/* The failure of PE k, of whichever node, does not count any more: its wrapper has dealt with it. */
void uno_ends_forgive(struct uno_run *run, int k);

/* Take in the ends of PEs below wrappers. */
void uno_ends_look(struct uno_run *run);

/* Count the ends of PEs that no wrapper has explained: the PEs that wait for them will go on. */
void uno_ends_unexplained(struct uno_run *run);

/* Take in the ends of the launcher's own children, and before them those of PEs below wrappers. */
void uno_ends_reap(struct uno_run *run);

#endif
