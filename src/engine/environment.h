/* The variable in which the launcher describes the job to a process, and access to the launcher's files. */

#ifndef UNO_ENVIRONMENT_H
#define UNO_ENVIRONMENT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* UNISONO_JOB=FD:LAUNCHER:DEVICE:INODE,PE: the job's memory, as a descriptor that launcher and process have
 * open; the launcher's process; which file the memory is; and this process's number in the job. An empty
 * value says that the process is in no job, also in none of another launcher: a PE of Python sets it for the
 * programs that it starts, and a user may. */
#define UNO_ENVIRONMENT "UNISONO_JOB"

/* The signal by which a process that a wrapper has started, and not the launcher itself, reports to the
 * launcher that it checks in. The signal carries the number of the PE. It has the same number with every C
 * library. */
#define UNO_CHECKED_IN SIGRTMAX

/* A file that the launcher has open: its descriptor there, and its identity. */
struct uno_handed {
    int fd;
    pid_t launcher;
    uint64_t device, inode;
};

/* Read the variable. Returns 1 if this process was launched, 0 if it was not, -EINVAL if the variable is
 * invalid. */
int uno_environment(struct uno_handed *memory, int *pe);

/* Return the variable by which another launcher tells that it has started this process as one of *processes,
 * 2 or more: such a process, and each of the others, would be the only PE of a job of its own. NULL: no
 * launcher does. */
const char *uno_environment_foreign(int *processes);

/* Return a descriptor of the file. It is the inherited one; or, where a program in between has closed that
 * and the number may belong to another file, a new one: then *opened is true, and the caller closes it. Only
 * a process of the launcher's user gets a new one. Returns -1 and errno on failure. */
int uno_handed_open(const struct uno_handed *handed, bool *opened);

/* Write all of the data into the file, at that place, by a descriptor of it. Returns false if that fails, or
 * the descriptor is another file's by now: a program may close it and get its number for a file of its own,
 * which must stay as it is. */
bool uno_handed_write(const struct uno_handed *handed, int fd, const void *data, size_t size, off_t at);

/* Close a descriptor of the file, unless it is another file's by now. */
void uno_handed_close(const struct uno_handed *handed, int fd);

/* Return the number of PEs in the job of this process, whether it has checked in or not; 1 without a
 * launcher. */
int uno_environment_pes(void);

#endif
