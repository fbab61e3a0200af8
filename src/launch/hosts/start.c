#define _GNU_SOURCE
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No question can be answered, since standard input is the agent's. */
static const char SSH[] = "ssh -o BatchMode=yes";

/* Within an allocation, Slurm reaches its nodes. The agent takes none of the processors from other steps, and
 * may run its PEs on all that the allocation has there. */
static const char SRUN[] =
    "srun --quiet --nodes=1 --ntasks=1 --overlap --mpi=none --cpu-bind=none --nodelist";

enum { WORDS = 64 };

/* Return the words that reach another host, which is the next one. */
static const char *words_for(const struct uno_far_launch *far, int node) {
    return far->rsh ? far->rsh : far->hosts->slurm[node] ? SRUN : SSH;
}

void uno_agent_starter(const struct uno_far_launch *far, int node, char text[UNO_STARTER]) {
    if (uno_host_is_here(far->hosts->name[node]))
        snprintf(text, UNO_STARTER, "its agent");
    else if (far->rsh)
        snprintf(text, UNO_STARTER, "%s", far->rsh);
    else
        snprintf(text, UNO_STARTER, far->hosts->slurm[node] ? "srun --nodelist" : "ssh");
}

/* Write a text for a shell, in quotation marks. */
static void quote(FILE *f, const char *text) {
    fputc('\'', f);
    for (const char *c = text; *c; c++)
        fputs(*c == '\'' ? "'\\''" : (char[]){*c, 0}, f);
    fputc('\'', f);
}

/* Return the line by which a shell becomes this program, if it is there under the same path, and else the one
 * of PATH. NULL: there is no memory. */
static char *agent_line(const char *self) {
    char *line = NULL;
    size_t length;
    FILE *f = open_memstream(&line, &length);
    if (!f)
        return NULL;
    fputs("if [ -x ", f);
    quote(f, self);
    fputs(" ]; then exec ", f);
    quote(f, self);
    fputs(" agent; else exec unisono agent; fi", f);
    return fclose(f) == 0 ? line : NULL;
}

/* Return the one word that ssh hands to the login shell there, whichever that is. */
static char *login_line(const char *line) {
    char *all = NULL;
    size_t length;
    FILE *f = line ? open_memstream(&all, &length) : NULL;
    if (!f)
        return NULL;
    fputs("exec sh -c ", f);
    quote(f, line);
    return fclose(f) == 0 ? all : NULL;
}

static int spawn(char **argv, const sigset_t *mask, const int ends[3], pid_t *pid) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    sigset_t standard;
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    posix_spawnattr_init(&attributes);
    /* a session of its own: what a terminal sends is the coordinator's, and is passed on by it */
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    posix_spawn_file_actions_init(&files);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&files, ends[i], i);
    int error = posix_spawnp(pid, argv[0], &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return -error;
}

/* Start this command with three pipes. */
static int start(char **argv, const sigset_t *mask, struct uno_started *started) {
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1}, error = 0;
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
        error = -errno;
    else
        error = spawn(argv, mask, (int[]){in[0], out[1], err[1]}, &started->pid);
    const int theirs[] = {in[0], out[1], err[1]}, ours[] = {in[1], out[0], err[0]};
    for (int i = 0; i < 3; i++) {
        if (theirs[i] >= 0)
            close(theirs[i]);
        if (error && ours[i] >= 0)
            close(ours[i]);
    }
    if (error)
        return error;
    started->in = in[1];
    started->out = out[0];
    started->err = err[0];
    fcntl(started->err, F_SETFL, O_NONBLOCK);
    return 0;
}

int uno_agent_start(const struct uno_far_launch *far, int node, const sigset_t *mask,
                    struct uno_started *started) {
    char *name = far->hosts->name[node], *argv[WORDS + 6] = {(char *)far->self, "agent", NULL}, *rest;
    if (uno_host_is_here(name))
        return start(argv, mask, started);
    int count = 0, error = -ENOMEM;
    const char *reach = words_for(far, node);
    char *words = strdup(reach), *line = agent_line(far->self), *login = login_line(line);
    if (words && login) {
        for (char *word = strtok_r(words, " ", &rest); word && count < WORDS;
             word = strtok_r(NULL, " ", &rest))
            argv[count++] = word;
        argv[count++] = name;
        if (reach == SRUN) { /* it runs words, and no shell */
            argv[count++] = "sh";
            argv[count++] = "-c";
            argv[count++] = line;
        } else {
            argv[count++] = login;
        }
        argv[count] = NULL;
        error = start(argv, mask, started);
    }
    free(words);
    free(line);
    free(login);
    return error;
}
