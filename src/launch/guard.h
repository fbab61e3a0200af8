/* Three processes in place of one, for a command that starts processes and must end them, and whatever these
 * start: nothing of them stays behind even if one of the three is killed, and nothing else is touched.
 *
 * The outermost is the command itself. It may have children that it did not start: exec leaves to a program
 * those of what was there before, say of a shell. So it adopts no process and ends none. Its child, the
 * guard, and the guard's child, which works, begin without any: whatever is below them belongs to the work.
 * Both adopt what its processes leave (they are subreapers), and each is told when its parent ends.
 *
 * If the one that works is killed, all that it had is the guard's, which kills it. If the guard is killed,
 * the one that works does that, in its answer to UNO_GUARD_GONE; if the command is, the guard.
 *
 * In `unisono run` the process that works is the launcher, in `unisono bench` the driver. */

#ifndef UNO_GUARD_H
#define UNO_GUARD_H

#include <signal.h>
#include <sys/types.h>

/* Run work(argument, mask, command) in the process that works, whose exit status is returned. name: what it
 * is called in messages, "unisono run: the launcher". This process passes on the signals that it receives,
 * and ends as the other did if that was by a signal. There the signals of uno_guard_signals are blocked;
 * mask: those that were before; command: this process, which users know. sweep, or NULL: called in the guard
 * when the process that works has ended by a signal, to remove what it may have left. */
int uno_guard(const char *name, int (*work)(void *argument, const sigset_t *mask, pid_t command),
              void (*sweep)(void *argument, pid_t worker), void *argument);

/* Sent to the guard and to the process that works when their parent has ended. */
#define UNO_GUARD_GONE SIGRTMIN

/* The signals to be read: those that are passed on, unless they are ignored, as nohup would have it; SIGCHLD;
 * UNO_GUARD_GONE and UNO_CHECKED_IN. */
void uno_guard_signals(sigset_t *set);

/* With these signals blocked, pass them on to a child until it has ended; UNO_GUARD_GONE kills it. Returns
 * its status as of waitpid. */
int uno_guard_watch(pid_t child, const sigset_t *signals);

/* End as by this signal. */
void uno_end_by_signal(int signal) __attribute__((noreturn));

#endif
