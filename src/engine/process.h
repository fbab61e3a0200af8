/* Other processes, as /proc describes them. */

#ifndef UNO_PROCESS_H
#define UNO_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Read the state letter of a process ('R' running, 'T' stopped ...) and its parent from /proc. Return true if
 * the process exists. */
bool uno_process_look(pid_t pid, char *state, pid_t *parent);

/* The state of a process with regard to stop signals. A SIGSTOP that comes to a stopped process stays pending
 * until it goes on; so a process that somebody else has stopped again can be told from one that was not. A
 * pending stop signal of a terminal means nothing: the kernel drops it where no shell could let the process
 * go on. */
enum uno_stop { UNO_GOING, UNO_TO_HALT /* one is pending */, UNO_HALTED, UNO_HALTED_ANEW };
enum uno_stop uno_process_stop(pid_t pid);

/* Return the number of threads of a process, 0 if it is gone. *handled: the signals that it handles, bit i -
 * 1 for signal i. */
int uno_process_threads(pid_t pid, uint64_t *handled);

/* Copy memory of a process, which may go on meanwhile. Return false, with errno, if not all of it can be
 * read. */
bool uno_process_read(pid_t pid, uint64_t at, void *to, size_t bytes);

/* Return true if the process is the other one or a descendant of it. */
bool uno_process_below(pid_t pid, pid_t other);

#endif
