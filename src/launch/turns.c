#define _GNU_SOURCE
#include "turns.h"

#include <stdlib.h>
#include <string.h>

#include "engine/kernel.h"
#include "engine/process.h"
#include "send.h"

/* PE k is to stop. What somebody else has stopped, or is about to, gets no signal, since that would look as
 * if it had been stopped twice. */
static void stop_one(struct uno_turns *turns, int k) {
    pid_t process[UNO_PE_PROCESSES];
    int count = uno_processes(turns->job, k, turns->child[k], process);
    for (int i = 0; i < count; i++) {
        int at = k * UNO_PE_PROCESSES + i;
        enum uno_stop state = uno_process_stop(process[i]);
        turns->held[at] = state != UNO_GOING;
        if (!turns->held[at])
            kill(process[i], SIGSTOP);
    }
}

/* PE k is to go on, unless somebody else has stopped it, before this job did or since. A stop that is only
 * pending yet is this job's own, if it was not there before. */
static void let_go_on(struct uno_turns *turns, int k) {
    pid_t process[UNO_PE_PROCESSES];
    int count = uno_processes(turns->job, k, turns->child[k], process);
    for (int i = 0; i < count; i++) {
        int at = k * UNO_PE_PROCESSES + i;
        enum uno_stop state = uno_process_stop(process[i]);
        if (state != UNO_HALTED_ANEW && !(turns->held[at] && state != UNO_GOING))
            kill(process[i], SIGCONT);
    }
}

static void stop(struct uno_turns *turns) {
    for (int k = 0; k < turns->n; k++)
        stop_one(turns, k);
    turns->stopped = true;
    turns->began = uno_kernel_now();
    uno_store32_relaxed(&turns->job->turn, UNO_TURN_OTHERS);
}

static void go_on(struct uno_turns *turns) {
    uno_store32_relaxed(&turns->job->turn, UNO_TURN_OWN);
    uno_store32_relaxed(&turns->job->turns, uno_load32_relaxed(&turns->job->turns) + 1);
    for (int k = 0; k < turns->n; k++)
        let_go_on(turns, k);
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
    turns->held = calloc((size_t)n * UNO_PE_PROCESSES, sizeof *turns->held);
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
        memset(turns->held, 0, (size_t)turns->n * UNO_PE_PROCESSES * sizeof *turns->held);
    }
    raise(SIGSTOP);
}

void uno_turns_wake(struct uno_turns *turns) {
    pid_t process[UNO_PE_PROCESSES];
    for (int k = 0; turns->gang && turns->stopped && k < turns->n; k++)
        for (int i = uno_processes(turns->job, k, turns->child[k], process); i-- > 0;)
            if (uno_process_stop(process[i]) == UNO_GOING)
                kill(process[i], SIGSTOP);
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
