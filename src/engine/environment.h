/* What the launcher tells a process, in its environment. */

#ifndef UNO_ENVIRONMENT_H
#define UNO_ENVIRONMENT_H

#include <signal.h>

/* UNISONO_JOB=FD,PE: the job's memory and this process's number in it. */
#define UNO_ENVIRONMENT "UNISONO_JOB"

/* The signal by which a process that the launcher did not start itself, but a wrapper, tells it that it
 * checks in; with it goes the number of the PE. The same number for every C library. */
#define UNO_CHECKED_IN SIGRTMAX

/* Returns 1 if this process was launched, 0 if it was not, -EINVAL if nobody can tell. */
int uno_environment(int *fd, int *pe);

/* How many PEs the job of this process has, whether it has checked in or not; 1 without a launcher. */
int uno_environment_pes(void);

#endif
