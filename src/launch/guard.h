/* Three processes in place of one, for a command that starts processes and must end them with their
 * descendants: none of them stays behind even if one of the three is killed, and no other process is touched.
 *
 * The outermost is the command itself. It may have children that it did not start: a program inherits by exec
 * those of the program before it, say of a shell. So it adopts no process and ends none. Its child, the
 * guard, and the guard's child, which works, begin without any: every process below them belongs to the work.
 * Both adopt the orphans of its processes (they are subreapers), and each is told when its parent ends.
 *
 * If the process that works is killed, the guard inherits its children and kills them. If the guard is
 * killed, the process that works does that, on UNO_GUARD_GONE; if the command is killed, the guard does it.
 *
 * In `unisono run` the process that works is the launcher, in `unisono bench` the driver. */

#ifndef UNO_GUARD_H
#define UNO_GUARD_H

#include <signal.h>
#include <sys/types.h>

/* Run work(argument, mask, command) in the process that works, whose exit status is returned. name: its name
 * in messages, "unisono run: the launcher". This process passes on the signals that it receives, and ends by
 * the same signal if the other did so. There the signals of uno_guard_signals are blocked; mask: the signals
 * blocked before; command: this process, which users know. sweep, or NULL: called in the guard when the
 * process that works has ended by a signal, to remove what it may have left. */
int uno_guard(const char *name, int (*work)(void *argument, const sigset_t *mask, pid_t command),
              void (*sweep)(void *argument, pid_t worker), void *argument);

/* Sent to the guard and to the process that works when their parent has ended. */
#define UNO_GUARD_GONE SIGRTMIN

/* The signals that are read: those that are passed on, unless they are ignored, as under nohup; SIGCHLD;
 * UNO_GUARD_GONE and UNO_CHECKED_IN. */
void uno_guard_signals(sigset_t *set);

/* Pass these signals, which are blocked, on to a child until it has ended; UNO_GUARD_GONE kills it. Returns
 * its status as of waitpid. */
int uno_guard_watch(pid_t child, const sigset_t *signals);

/* End by this signal. */
void uno_end_by_signal(int signal) __attribute__((noreturn));

#endif
