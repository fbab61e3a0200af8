/* Starting the process of a PE. */

#ifndef UNO_SPAWN_H
#define UNO_SPAWN_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "request.h"

/* The arguments that all processes of a job share. */
struct uno_spawn {
    const struct uno_launch *launch;
    char ***environment; /* of each part: first the variables that tell a process its PE, then its own */
    int memory;          /* descriptor of the job's memory, and the identity of that file: */
    dev_t device;
    ino_t inode;
    int trace;           /* descriptor of the file for events; -1: none */
    pid_t launcher;      /* this process; when it ends, the PEs are killed */
    sigset_t mask;       /* signals that were blocked before the launcher changed that */
    void (*pipe)(int);   /* SIGPIPE's action before that */
    struct rlimit files; /* RLIMIT_NOFILE before that */
    int null;            /* /dev/null, to read */
    int input;           /* standard input of PE 0 */
    int *processors;     /* the k-th PE here runs on processors[k % processors_count] only; NULL: anywhere */
    int processors_count;
};

/* The failed step when the folder of a part cannot be entered. */
extern const char UNO_SPAWN_FOLDER[];

/* Start PE k with these descriptors as standard input, output and error. Returns its process id, or -errno
 * with the failed step in *what. */
pid_t uno_spawn(const struct uno_spawn *job, int k, int out, int err, const char **what);

/* Returns the index of the part to which PE k belongs. */
int uno_spawn_part(const struct uno_launch *launch, int k);

/* Make the environments of all parts. Returns 0 or -errno. uno_spawn_environment_free frees them. */
int uno_spawn_environment(struct uno_spawn *job);
void uno_spawn_environment_free(struct uno_spawn *job);

#endif
