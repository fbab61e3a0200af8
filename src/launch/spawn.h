/* Starting the process of a PE. */

#ifndef UNO_SPAWN_H
#define UNO_SPAWN_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* What all processes of a job get. */
struct uno_spawn {
    char **argv;        /* program and arguments; a name without '/' is looked for in PATH */
    int n;              /* PEs in the job */
    char **environment; /* first what tells a process its PE, then what this process has */
    int memory;         /* descriptor of the job's memory, and which file that is: */
    dev_t device;
    ino_t inode;
    int trace;           /* that of the file for their events; -1: none */
    pid_t launcher;      /* this process; when it ends, they are killed */
    sigset_t mask;       /* signals blocked before the launcher changed that */
    void (*pipe)(int);   /* likewise what SIGPIPE did */
    struct rlimit files; /* likewise RLIMIT_NOFILE */
    int null;            /* /dev/null, to read */
    int *processors;     /* PE k runs on processors[k % processors_count] only; NULL: anywhere */
    int processors_count;
};

/* Start PE k with these descriptors as standard input, output and error. Returns its process id, or -errno
 * with *what set to what failed. */
pid_t uno_spawn(const struct uno_spawn *job, int k, int out, int err, const char **what);

/* Make the environment, a copy of this process's. Returns 0 or -errno. Free it with the other. */
int uno_spawn_environment(struct uno_spawn *job);
void uno_spawn_environment_free(struct uno_spawn *job);

#endif
