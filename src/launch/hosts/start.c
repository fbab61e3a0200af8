#define _GNU_SOURCE
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No question can be answered, since standard input is the agent's; a connection that is lost shows within
 * ten seconds. */
static const char SSH[] = "ssh -o BatchMode=yes -o ServerAliveInterval=5 -o ServerAliveCountMax=2";

enum { WORDS = 64 };

const char *uno_agent_starter(const struct uno_far_launch *far, int node) {
    static const char ssh[] = "ssh";
    return uno_host_is_here(far->hosts->name[node]) ? far->self : far->rsh ? far->rsh : ssh;
}

/* The one line that the other machine's shell runs, whichever shell that is: this program, if it is there
 * under the same path, and else the one of PATH. */
static char *remote_line(const char *self) {
    char *line = NULL;
    size_t length;
    FILE *f = open_memstream(&line, &length);
    if (!f)
        return NULL;
    char *quoted = NULL;
    size_t size;
    FILE *q = open_memstream(&quoted, &size);
    for (const char *c = self; q && *c; c++)
        fputs(*c == '\'' ? "'\\''" : (char[]){*c, 0}, q);
    if (q && fclose(q) == 0) {
        /* quoted twice: for the shell here called, and for the login shell that calls it */
        fputs("exec sh -c '", f);
        char *inner = NULL;
        if (asprintf(&inner, "if [ -x '%s' ]; then exec '%s' agent; else exec unisono agent; fi", quoted,
                     quoted) >= 0)
            for (const char *c = inner; *c; c++)
                fputs(*c == '\'' ? "'\\''" : (char[]){*c, 0}, f);
        free(inner);
        fputc('\'', f);
    }
    free(quoted);
    return fclose(f) == 0 ? line : NULL;
}

static int spawn(char **argv, const sigset_t *mask, const int ends[3], pid_t *pid) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    sigset_t standard;
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    posix_spawnattr_init(&attributes);
    /* a session of its own: what a terminal sends is the coordinator's, and is passed on by it */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
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

int uno_agent_start(const struct uno_far_launch *far, int node, const sigset_t *mask, struct uno_started *started) {
    char *name = far->hosts->name[node], *argv[WORDS + 3] = {(char *)far->self, "agent", NULL};
    char *words = NULL, *line = NULL, *rest, *word;
    if (!uno_host_is_here(name)) {
        int count = 0;
        words = strdup(far->rsh ? far->rsh : SSH);
        line = remote_line(far->self);
        if (!words || !line)
            return -ENOMEM;
        for (word = strtok_r(words, " ", &rest); word && count < WORDS; word = strtok_r(NULL, " ", &rest))
            argv[count++] = word;
        argv[count++] = name;
        argv[count++] = line;
        argv[count] = NULL;
    }
    int error = start(argv, mask, started);
    free(words);
    free(line);
    return error;
}
