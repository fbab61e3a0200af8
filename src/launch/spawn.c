#define _GNU_SOURCE
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/environment.h"
#include "node.h"

const char UNO_SPAWN_FOLDER[] = "cannot enter the folder";

/* The variables that a process finds in its environment. The names of other MPI launchers are there for
 * programs that look whether they run under one before they load an MPI library; nothing of Unisono reads
 * them. */
static const struct {
    const char *name;
    enum { JOB, RANK, SIZE, LOCAL_RANK, LOCAL_SIZE } value;
} variables[] = {
    {UNO_ENVIRONMENT, JOB},
    {"OMPI_COMM_WORLD_RANK", RANK}, /* Open MPI's mpirun */
    {"OMPI_COMM_WORLD_SIZE", SIZE},
    {"OMPI_COMM_WORLD_LOCAL_RANK", LOCAL_RANK},
    {"OMPI_COMM_WORLD_LOCAL_SIZE", LOCAL_SIZE},
    {"MPI_LOCALRANKID", LOCAL_RANK}, /* MPICH's mpiexec */
    {"MPI_LOCALNRANKS", LOCAL_SIZE},
};
enum { VARIABLES = sizeof variables / sizeof *variables, ENTRY = 128 };

static bool is_variable(const char *entry) {
    for (int i = 0; i < VARIABLES; i++) {
        size_t length = strlen(variables[i].name);
        if (strncmp(entry, variables[i].name, length) == 0 && entry[length] == '=')
            return true;
    }
    return false;
}

int uno_spawn_part(const struct uno_launch *launch, int k) {
    int i = 0;
    while (k >= launch->part[i].n)
        k -= launch->part[i++].n;
    return i;
}

/* The environment of one part: the variables, whose text is of all parts, and its own. */
static char **environment_of(const struct uno_part *part, char *text) {
    size_t count = 0, at = 0;
    while (part->environment[count])
        count++;
    char **environment = calloc(count + VARIABLES + 1, sizeof *environment);
    for (; environment && at < VARIABLES; at++)
        environment[at] = text + at * ENTRY;
    for (size_t i = 0; environment && i < count; i++)
        if (!is_variable(part->environment[i]))
            environment[at++] = part->environment[i];
    return environment;
}

int uno_spawn_environment(struct uno_spawn *job) {
    char *text = malloc(VARIABLES * ENTRY);
    job->environment = calloc((size_t)job->launch->parts, sizeof *job->environment);
    bool all = text && job->environment;
    for (int i = 0; all && i < job->launch->parts; i++)
        all = (job->environment[i] = environment_of(&job->launch->part[i], text));
    if (all)
        return 0;
    if (!job->environment || !job->environment[0])
        free(text);
    return -ENOMEM;
}

void uno_spawn_environment_free(struct uno_spawn *job) {
    if (job->environment && job->environment[0])
        free(job->environment[0][0]);
    for (int i = 0; job->environment && i < job->launch->parts; i++)
        free(job->environment[i]);
    free(job->environment);
}

static void tell(const struct uno_spawn *job, int k) {
    const int number[] = {[RANK] = k,
                          [SIZE] = job->launch->n,
                          [LOCAL_RANK] = uno_node_before(job->launch, k),
                          [LOCAL_SIZE] = uno_node_pes(job->launch)};
    for (int i = 0; i < VARIABLES; i++) {
        char *text = job->environment[0][i];
        int length = snprintf(text, ENTRY, "%s=", variables[i].name);
        if (variables[i].value == JOB)
            length +=
                snprintf(text + length, ENTRY - (size_t)length, "%d:%d:%llu:%llu,", job->memory,
                         (int)job->launcher, (unsigned long long)job->device, (unsigned long long)job->inode);
        snprintf(text + length, ENTRY - (size_t)length, "%d",
                 number[variables[i].value == JOB ? RANK : variables[i].value]);
    }
}

/* The start of one process. */
struct birth {
    const struct uno_spawn *job;
    int part;
    int file[3];    /* to be standard input, output and error */
    int tell;       /* where the child writes a struct failure; closed when the program has been loaded */
    cpu_set_t *set; /* the processor to run on; NULL: any */
    size_t size;    /* of set */
};

struct failure {
    int error;
    const char *what; /* failed; NULL: to load the program. The same text in parent and child */
};

/* Choose the processor of PE k. */
static int choose(struct birth *birth, int k) {
    const struct uno_spawn *job = birth->job;
    if (!job->processors)
        return 0;
    size_t processor = (size_t)job->processors[uno_node_before(job->launch, k) % job->processors_count];
    birth->size = CPU_ALLOC_SIZE(processor + 1);
    birth->set = CPU_ALLOC(processor + 1);
    if (!birth->set)
        return -ENOMEM;
    CPU_ZERO_S(birth->size, birth->set);
    CPU_SET_S(processor, birth->size, birth->set);
    return 0;
}

/* Become the program. This runs in the child of vfork, which may change nothing of its parent's memory. */
static _Noreturn void become(const struct birth *birth) {
    const struct uno_spawn *job = birth->job;
    const struct uno_part *part = &job->launch->part[birth->part];
    struct failure failure = {.what = "cannot set up the process"};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != job->launcher)
        _exit(EXIT_FAILURE); /* it was killed just before */
    for (int i = 0; i < 3; i++)
        if (birth->file[i] != i && dup2(birth->file[i], i) < 0)
            goto failed;
    if (fcntl(job->memory, F_SETFD, 0) || (job->trace >= 0 && fcntl(job->trace, F_SETFD, 0)) ||
        setrlimit(RLIMIT_NOFILE, &job->files))
        goto failed;
    failure.what = "cannot bind it to a processor";
    if (birth->set && sched_setaffinity(0, birth->size, birth->set))
        goto failed;
    signal(SIGPIPE, job->pipe);
    sigprocmask(SIG_SETMASK, &job->mask, NULL);
    failure.what = UNO_SPAWN_FOLDER;
    if (part->folder && chdir(part->folder))
        goto failed;
    failure.what = NULL;
    execvpe(part->argv[0], part->argv, job->environment[birth->part]);
failed:
    failure.error = errno;
    if (write(birth->tell, &failure, sizeof failure) < 0)
        (void)0; /* then the exit status must do */
    _exit(EXIT_FAILURE);
}

/* Start by vfork: no memory is copied, and the parent goes on when the program has been loaded or could not
 * be. */
static __attribute__((noinline)) pid_t give_birth(const struct birth *birth) {
    pid_t pid = vfork();
    if (pid == 0)
        become(birth);
    return pid;
}

pid_t uno_spawn(const struct uno_spawn *job, int k, int out, int err, const char **what) {
    int told[2];
    struct birth birth = {.job = job,
                          .part = uno_spawn_part(job->launch, k),
                          .file = {k == 0 ? job->input : job->null, out, err}};
    struct failure failure = {.what = "cannot start a process"};
    *what = failure.what;
    if (choose(&birth, k))
        return -ENOMEM;
    if (pipe2(told, O_CLOEXEC)) {
        CPU_FREE(birth.set);
        return -errno;
    }
    birth.tell = told[1];
    tell(job, k);
    pid_t pid = give_birth(&birth);
    if (pid < 0)
        failure.error = errno;
    close(told[1]);
    CPU_FREE(birth.set);
    if (pid > 0 && read(told[0], &failure, sizeof failure) == sizeof failure)
        waitpid(pid, NULL, 0);
    close(told[0]);
    *what = failure.what;
    return failure.error ? -failure.error : pid;
}
