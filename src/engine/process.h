/* Other processes, as /proc tells of them. */

#ifndef UNO_PROCESS_H
#define UNO_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Read what /proc says of a process: its state letter ('R' running, 'T' stopped ...) and its parent. Return
 * true if the process exists. */
bool uno_process_look(pid_t pid, char *state, pid_t *parent);

/* How a process is stopped by signals. A SIGSTOP that comes to one that is stopped already stays pending
 * until it goes on; so one that was stopped again by somebody else can be told from one that was not. A
 * signal of a terminal that is pending says nothing: the kernel drops it where no shell could let the process
 * go on. */
enum uno_stop { UNO_GOING, UNO_TO_HALT /* one is pending */, UNO_HALTED, UNO_HALTED_ANEW };
enum uno_stop uno_process_stop(pid_t pid);

/* Return how many threads a process has, 0 if it is gone. *handled: the signals that it handles, bit i - 1
 * for signal i. */
int uno_process_threads(pid_t pid, uint64_t *handled);

/* Return true if the process is a child of that other one, or a child of such a child, and so on; or that one
 * itself.
 */
bool uno_process_below(pid_t pid, pid_t other);

#endif
