#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descendants.h"
#include "engine/environment.h"
#include "exit.h"

void uno_guard_signals(sigset_t *set) {
    static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        struct sigaction action;
        if (sigaction(passed_on[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, passed_on[i]);
    }
    sigaddset(set, SIGCHLD);
    sigaddset(set, UNO_GUARD_GONE);
    sigaddset(set, UNO_CHECKED_IN);
}

void uno_end_by_signal(int signal_number) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0}); /* the fault is not here */
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(UNO_EXIT_SIGNAL + signal_number);
}

int uno_guard_watch(pid_t child, const sigset_t *signals) {
    for (;;) {
        siginfo_t info;
        int status, number = sigwaitinfo(signals, &info);
        if (number == SIGCHLD && waitpid(child, &status, WNOHANG) == child)
            return status;
        if (number == UNO_GUARD_GONE)
            kill(child, SIGKILL);
        /* a terminal sends its signals to every process of the foreground group */
        else if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL)
            kill(child, number);
    }
}

/* The knowledge of the two outer processes. */
struct guarded {
    const char *name;
    int (*work)(void *argument, const sigset_t *mask, pid_t command);
    void (*sweep)(void *argument, pid_t worker);
    void *argument;
    sigset_t signals, mask;
    pid_t command;
};

/* Start a child that runs `go`, and is told when this process ends. Returns its process id, or -1 after a
 * message. */
static pid_t start(const struct guarded *guarded, int (*go)(const struct guarded *guarded)) {
    pid_t self = getpid(), child = fork();
    if (child < 0)
        fprintf(stderr, "%s cannot be started: %s\n", guarded->name, strerror(errno));
    if (child)
        return child;
    prctl(PR_SET_PDEATHSIG, UNO_GUARD_GONE);
    if (getppid() != self)
        _exit(EXIT_FAILURE);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    exit(go(guarded));
}

/* Return true for the signals by which a user asks the job to end: the working process reports such a signal
 * and ends by it itself. */
static bool is_request(int signal_number) {
    return signal_number == SIGHUP || signal_number == SIGINT || signal_number == SIGQUIT ||
           signal_number == SIGTERM;
}

/* End as the child did. Any signal but those of is_request is a fault, or kill -9, on which the child could
 * say nothing; the process above this one learns of it by an exit status, so that one line reports it. */
static int follow(const struct guarded *guarded, int status) {
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    if (is_request(number))
        uno_end_by_signal(number);
    fprintf(stderr, "%s was killed by signal %d (%s)\n", guarded->name, number, strsignal(number));
    return UNO_EXIT_SIGNAL + number;
}

static int worker(const struct guarded *guarded) {
    return guarded->work(guarded->argument, &guarded->mask, guarded->command);
}

static int guard(const struct guarded *guarded) {
    pid_t child = start(guarded, worker);
    if (child < 0)
        return EXIT_FAILURE;
    int status = uno_guard_watch(child, &guarded->signals);
    uno_kill_descendants();
    if (WIFSIGNALED(status) && guarded->sweep)
        guarded->sweep(guarded->argument, child);
    if (getppid() != guarded->command)
        _exit(UNO_EXIT_SIGNAL + SIGKILL); /* it was killed, and nobody is left to tell */
    return follow(guarded, status);
}

int uno_guard(const char *name, int (*work)(void *argument, const sigset_t *mask, pid_t command),
              void (*sweep)(void *argument, pid_t worker), void *argument) {
    struct guarded guarded = {
        .name = name, .work = work, .sweep = sweep, .argument = argument, .command = getpid()};
    uno_guard_signals(&guarded.signals);
    sigprocmask(SIG_BLOCK, &guarded.signals, &guarded.mask);
    signal(SIGCHLD, SIG_DFL); /* a process that ignores SIGCHLD cannot wait for its children */
    pid_t child = start(&guarded, guard);
    return child < 0 ? EXIT_FAILURE : follow(&guarded, uno_guard_watch(child, &guarded.signals));
}
