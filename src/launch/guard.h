/* Two processes in place of one, so that nothing stays behind even if one of them is killed. */

#ifndef UNO_GUARD_H
#define UNO_GUARD_H

#include <signal.h>

/* Run work(argument, mask) in a child process, whose exit status is returned. This process passes on to the
 * child the signals that it receives, ends as the child did if that was by a signal, and kills what the child
 * leaves. If this process is killed, the child receives UNO_GUARD_GONE. In the child the signals of
 * uno_guard_signals are blocked; mask: those that were before. */
int uno_guard(int (*work)(void *argument, const sigset_t *mask), void *argument);

#define UNO_GUARD_GONE SIGRTMIN

/* The signals that the launcher reads: those that are passed on, unless they are ignored, as nohup would have
 * it; SIGCHLD; and UNO_GUARD_GONE. */
void uno_guard_signals(sigset_t *set);

/* With these signals blocked, pass them on to a child until it has ended. Returns its status as of waitpid.
 */
int uno_guard_watch(pid_t child, const sigset_t *signals);

/* End as by this signal. */
void uno_end_by_signal(int signal) __attribute__((noreturn));

#endif
