/* The launcher tells a process this in its environment; and how the process gets at the launcher's files. */

#ifndef UNO_ENVIRONMENT_H
#define UNO_ENVIRONMENT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* UNISONO_JOB=FD:LAUNCHER:DEVICE:INODE,PE: the job's memory, as a descriptor that launcher and process have
 * open; the launcher's process; which file the memory is; and this process's number in the job. */
#define UNO_ENVIRONMENT "UNISONO_JOB"

/* The signal by which a process that the launcher did not start itself, but a wrapper, tells it that it
 * checks in; with it goes the number of the PE. The same number for every C library. */
#define UNO_CHECKED_IN SIGRTMAX

/* A file that the launcher has open, by its descriptor there and by what it is. */
struct uno_handed {
    int fd;
    pid_t launcher;
    uint64_t device, inode;
};

/* Returns 1 if this process was launched, 0 if it was not, -EINVAL if nobody can tell. */
int uno_environment(struct uno_handed *memory, int *pe);

/* A descriptor of that file. It is the one that this process has inherited; or where a program in between has
 * closed that, and its number may be another file's, a new one, *opened: the caller closes it. Only a process
 * of the launcher's user gets that. Returns -1 and errno if it cannot be had. */
int uno_handed_open(const struct uno_handed *handed, bool *opened);

/* How many PEs the job of this process has, whether it has checked in or not; 1 without a launcher. */
int uno_environment_pes(void);

#endif
