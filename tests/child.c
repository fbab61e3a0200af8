#include "child.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#define HANG_SECONDS 60

static _Noreturn void become(int error, char **argv, void (*function)(void *), void *argument) {
    setpgid(0, 0);
    dup2(error, STDERR_FILENO);
    close(error);
    if (!argv) {
        function(argument);
        _exit(0);
    }
    execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
}

/* Collect until the other ends of the pipe are closed. */
static void collect(struct child *child, int from, double until) {
    size_t length = 0;
    for (;;) {
        struct pollfd p = {.fd = from, .events = POLLIN};
        double rest = until - test_now();
        if (rest <= 0 || poll(&p, 1, (int)(rest * 1000) + 1) <= 0)
            break;
        char piece[4096];
        ssize_t got = read(from, piece, sizeof piece);
        if (got <= 0)
            break;
        for (ssize_t i = 0; i < got && length < sizeof child->error - 1; i++)
            child->error[length++] = piece[i];
    }
    child->error[length] = 0;
}

void child_run(struct child *child, char **argv, void (*function)(void *), void *argument) {
    int ends[2], status;
    fflush(NULL);
    if (pipe(ends)) {
        perror("pipe");
        exit(TEST_FAILED);
    }
    double start = test_now(), limit = start + HANG_SECONDS;
    pid_t pid = fork();
    if (pid < 0) {
        perror("fork");
        exit(TEST_FAILED);
    }
    if (pid == 0) {
        close(ends[0]);
        become(ends[1], argv, function, argument);
    }
    close(ends[1]);
    collect(child, ends[0], limit);
    close(ends[0]);
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (test_now() > limit)
            kill(-pid, SIGKILL);
        test_sleep(0.0002);
    }
    child->seconds = test_now() - start;
    child->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
