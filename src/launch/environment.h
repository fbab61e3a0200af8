/* What the launcher tells a process, in its environment. */

#ifndef UNO_ENVIRONMENT_H
#define UNO_ENVIRONMENT_H

#include <stdbool.h>

/* UNISONO_JOB=FD,PE: the job's memory and this process's number in it. */
#define UNO_ENVIRONMENT "UNISONO_JOB"

/* Whether this process was launched. */
bool uno_environment(int *fd, int *pe);

#endif
