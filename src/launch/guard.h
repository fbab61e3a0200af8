/* Three processes in place of one, so that nothing of the job stays behind even if one of them is killed, and
 * nothing else is touched.
 *
 * The outermost is the command itself. It may have children that it did not start: exec leaves to a program
 * those of what was there before, say of a shell. So it adopts no process and ends none. Its child, the
 * guard, and the guard's child, the launcher, begin without any: whatever is below them belongs to the job.
 * Both adopt what its processes leave (they are subreapers), and each is told when its parent ends.
 *
 * If the launcher is killed, all that it had is the guard's, which kills it. If the guard is killed, the
 * launcher does that; if the command is, the guard. */

#ifndef UNO_GUARD_H
#define UNO_GUARD_H

#include <signal.h>
#include <sys/types.h>

/* Run work(argument, mask, command) in the launcher, whose exit status is returned. This process passes on
 * the signals that it receives, and ends as the launcher did if that was by a signal. In the launcher the
 * signals of uno_guard_signals are blocked; mask: those that were before; command: this process, which users
 * know. */
int uno_guard(int (*work)(void *argument, const sigset_t *mask, pid_t command), void *argument);

/* Sent to the guard and to the launcher when their parent has ended. */
#define UNO_GUARD_GONE SIGRTMIN

/* The signals that the launcher reads: those that are passed on, unless they are ignored, as nohup would have
 * it; SIGCHLD; UNO_GUARD_GONE and UNO_CHECKED_IN. */
void uno_guard_signals(sigset_t *set);

/* With these signals blocked, pass them on to a child until it has ended; UNO_GUARD_GONE kills it. Returns
 * its status as of waitpid. */
int uno_guard_watch(pid_t child, const sigset_t *signals);

/* End as by this signal. */
void uno_end_by_signal(int signal) __attribute__((noreturn));

#endif
