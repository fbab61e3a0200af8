#define _GNU_SOURCE
#include "turns.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "engine/kernel.h"
#include "send.h"

/* Whether PE k, the process itself, is stopped. */
static bool is_stopped(const struct uno_turns *turns, int k) {
    siginfo_t info = {0};
    return turns->child[k] &&
           waitid(P_PID, (id_t)turns->child[k], &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid;
}

/* As long as nobody else has stopped a PE, this is all that does. */
static void stop(struct uno_turns *turns) {
    for (int k = 0; k < turns->n; k++) {
        turns->held[k] = is_stopped(turns, k);
        uno_send(turns->job, k, turns->child[k], SIGSTOP);
    }
    turns->stopped = true;
    turns->began = uno_kernel_now();
    uno_store32_relaxed(&turns->job->turn, UNO_TURN_OTHERS);
}

static void go_on(struct uno_turns *turns) {
    uno_store32_relaxed(&turns->job->turn, UNO_TURN_OWN);
    uno_store32_relaxed(&turns->job->turns, uno_load32_relaxed(&turns->job->turns) + 1);
    for (int k = 0; k < turns->n; k++)
        if (!turns->held[k] || !is_stopped(turns, k))
            uno_send(turns->job, k, turns->child[k], SIGCONT);
    turns->stopped = false;
    turns->ended += uno_kernel_now() - turns->began;
}

const char *uno_turns_begin(struct uno_turns *turns, const char *name, struct uno_job *job,
                            const pid_t *child, int n) {
    const char *why = "out of memory";
    *turns = (struct uno_turns){.job = job, .child = child, .n = n};
    sigemptyset(&turns->signals);
    sigaddset(&turns->signals, UNO_GANG_TURN);
    sigaddset(&turns->signals, SIGTSTP);
    sigaddset(&turns->signals, SIGCONT);
    sigprocmask(SIG_BLOCK, &turns->signals, NULL);
    /* that a PE was stopped is no news */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP}, NULL);
    turns->held = calloc((size_t)n, sizeof *turns->held);
    if (!turns->held || !(turns->gang = uno_gang_join(name, &why)))
        return why;
    uno_store32_relaxed(&job->turn, UNO_TURN_OWN);
    return NULL;
}

void uno_turns_born(struct uno_turns *turns, int k) {
    if (turns->stopped)
        uno_send(turns->job, k, turns->child[k], SIGSTOP);
}

void uno_turns_step(struct uno_turns *turns) {
    if (!turns->gang)
        return;
    uint64_t now = uno_kernel_now();
    bool mine = uno_gang_look(turns->gang, now);
    if (mine && turns->stopped) {
        go_on(turns);
    } else if (mine && uno_gang_over(turns->gang, now)) {
        stop(turns);
        uno_gang_pass(turns->gang);
    } else if (!mine && !turns->stopped) {
        stop(turns);
    }
}

void uno_turns_sleep(struct uno_turns *turns) {
    if (turns->gang) {
        uno_gang_rest(turns->gang);
        if (!turns->stopped)
            stop(turns);
        /* the terminal has stopped them, too, and will let all of them go on */
        memset(turns->held, 0, (size_t)turns->n * sizeof *turns->held);
    }
    raise(SIGSTOP);
}

void uno_turns_wake(struct uno_turns *turns) {
    for (int k = 0; turns->gang && turns->stopped && k < turns->n; k++)
        uno_send(turns->job, k, turns->child[k], SIGSTOP);
}

uint64_t uno_turns_lost(const struct uno_turns *turns) {
    return turns->ended + (turns->stopped ? uno_kernel_now() - turns->began : 0);
}

void uno_turns_end(struct uno_turns *turns) {
    if (!turns->gang)
        return;
    if (turns->stopped)
        go_on(turns);
    uno_gang_leave(turns->gang);
    turns->gang = NULL;
    uno_store32_relaxed(&turns->job->turn, UNO_TURN_NONE);
}

void uno_turns_free(struct uno_turns *turns) {
    if (turns->gang)
        uno_gang_leave(turns->gang);
    free(turns->held);
    turns->gang = NULL;
    turns->held = NULL;
}
