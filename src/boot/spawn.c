#define _GNU_SOURCE
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "environment.h"

extern char **environ;

enum { ENTRY = sizeof UNO_ENVIRONMENT + 32 };

int uno_spawn_environment(struct uno_spawn *job) {
    size_t count = 0;
    while (environ[count])
        count++;
    job->environment = calloc(count + 2, sizeof *job->environment);
    if (!job->environment || !(job->environment[0] = malloc(ENTRY)))
        return -ENOMEM;
    size_t length = strlen(UNO_ENVIRONMENT), at = 1;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], UNO_ENVIRONMENT, length) != 0 || environ[i][length] != '=')
            job->environment[at++] = environ[i];
    return 0;
}

/* One process to start: what the child needs, and what it tells its parent, in the memory that both use until
 * the child is another program. */
struct birth {
    const struct uno_spawn *job;
    int file[3];               /* to be standard input, output and error */
    cpu_set_t *set;            /* the processor to run on; NULL: any */
    size_t size;               /* of set */
    volatile int error;        /* errno of what failed, or 0; volatile, since the compiler sees one process */
    const char *volatile what; /* that failed; NULL: to load the program */
};

/* Choose the processor of PE k. */
static int choose(struct birth *birth, int k) {
    const struct uno_spawn *job = birth->job;
    if (!job->processors)
        return 0;
    size_t processor = (size_t)job->processors[k % job->processors_count];
    birth->size = CPU_ALLOC_SIZE(processor + 1);
    birth->set = CPU_ALLOC(processor + 1);
    if (!birth->set)
        return -ENOMEM;
    CPU_ZERO_S(birth->size, birth->set);
    CPU_SET_S(processor, birth->size, birth->set);
    return 0;
}

/* Become the program. The child of vfork: of its parent's memory it may change nothing but *birth. */
static _Noreturn void become(struct birth *birth) {
    const struct uno_spawn *job = birth->job;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != job->launcher)
        _exit(EXIT_FAILURE); /* it was killed just before */
    birth->what = "cannot set up the process";
    for (int i = 0; i < 3; i++)
        if (birth->file[i] != i && dup2(birth->file[i], i) < 0)
            goto failed;
    if (fcntl(job->memory, F_SETFD, 0) || setrlimit(RLIMIT_NOFILE, &job->files))
        goto failed;
    birth->what = "cannot bind it to a processor";
    if (birth->set && sched_setaffinity(0, birth->size, birth->set))
        goto failed;
    signal(SIGPIPE, job->pipe);
    sigprocmask(SIG_SETMASK, &job->mask, NULL);
    birth->what = NULL;
    execvpe(job->argv[0], job->argv, job->environment);
failed:
    birth->error = errno;
    _exit(EXIT_FAILURE);
}

/* vfork: nothing is copied, and the parent goes on when the program has been loaded or could not be. */
static __attribute__((noinline)) pid_t give_birth(struct birth *birth) {
    pid_t pid = vfork();
    if (pid == 0)
        become(birth);
    return pid;
}

pid_t uno_spawn(const struct uno_spawn *job, int k, int out, int err, const char **what) {
    struct birth birth = {.job = job, .file = {k == 0 ? STDIN_FILENO : job->null, out, err}};
    *what = "out of memory";
    if (choose(&birth, k))
        return -ENOMEM;
    snprintf(job->environment[0], ENTRY, UNO_ENVIRONMENT "=%d,%d", job->memory, k);
    pid_t pid = give_birth(&birth);
    int error = pid < 0 ? errno : birth.error;
    *what = pid < 0 ? "cannot start a process" : birth.what;
    CPU_FREE(birth.set);
    if (error && pid > 0)
        waitpid(pid, NULL, 0);
    return error ? -error : pid;
}
