#define _GNU_SOURCE
#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "deadlock.h"
#include "descendants.h"
#include "engine/observe.h"
#include "engine/environment.h"
#include "engine/process.h"
#include "exit.h"
#include "guard.h"
#include "outsiders.h"
#include "report.h"
#include "say.h"
#include "send.h"
#include "stats.h"
#include "strangers.h"
#include "unit/unit.h"

#define MS UINT64_C(1000000)

/* How long each phase of the end lasts, so that all is over within a second of a failure. */
static const uint64_t GRACE = 500 * MS, TERMINATION = 250 * MS, SIGNAL_GRACE = 1000 * MS;

/* Between two looks whether any PE can go on. */
static const uint64_t LOOK = 100 * MS;

/* A signal sent to the whole process group arrives directly and by way of the guard: that is one signal. */
static const uint64_t SAME_SIGNAL = 100 * MS;

/* If the system does not tell how a PE below a wrapper ended, the wrapper may, by its own exit status. */
static const uint64_t EXPLANATION = 200 * MS;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Say what `write` writes. */
static void say_all(struct uno_run *run, void (*write)(FILE *f, const struct uno_run *run)) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return;
    uno_job_restore(run->job, run->made);
    write(f, run);
    if (fclose(f) == 0)
        uno_output_say(&run->output, text, length);
    free(text);
}

static void report(FILE *f, const struct uno_run *run) {
    struct uno_mail mail = uno_shown_map(run->made, run->spawn.memory);
    uno_report(f, run->job, &mail, run->child, false);
    uno_shown_unmap(&mail);
}

/* That of a job that is to end, whose processes may be stopped for it. */
static void report_end(FILE *f, const struct uno_run *run) {
    struct uno_mail mail = uno_shown_map(run->made, run->spawn.memory);
    uno_report(f, run->job, &mail, run->child, true);
    uno_shown_unmap(&mail);
}

/* Send a signal to every PE. */
static void send_all(struct uno_run *run, int signal_number) {
    for (int k = 0; k < run->launch->n; k++)
        uno_send(run->job, k, run->child[k], signal_number);
}

static void enter(struct uno_run *run, enum uno_phase phase, int signal_number, uint64_t lasts) {
    run->phase = phase;
    run->look = phase == UNO_RUNS ? now() + LOOK : 0;
    run->next = lasts ? now() + lasts : 0;
    if (phase != UNO_RUNS)
        uno_turns_end(&run->turns); /* whoever is stopped ends by no signal but one */
    if (signal_number)
        send_all(run, signal_number);
}

/* ---- what can happen ---------------------------------------------------------------------------------- */

static int exit_status(int result) {
    return WIFSIGNALED(result) ? UNO_EXIT_SIGNAL + WTERMSIG(result) : WEXITSTATUS(result);
}

static void describe(int k, int result, char text[UNO_FAULT_TEXT]) {
    if (WIFSIGNALED(result))
        snprintf(text, UNO_FAULT_TEXT, "PE %d was killed by signal %d (%s)", k, WTERMSIG(result),
                 strsignal(WTERMSIG(result)));
    else
        snprintf(text, UNO_FAULT_TEXT, "PE %d ended with exit status %d", k, WEXITSTATUS(result));
}

/* PE k has ended so, or a wrapper has on its behalf. The first failure counts: the wrapper's follows from its
 * PE's. */
static void ended(struct uno_run *run, int k, int result) {
    int status = run->result[k] ? 0 : exit_status(result);
    char text[UNO_FAULT_TEXT];
    describe(k, result, text);
    if (status) {
        run->result[k] = result;
        uno_job_set_fault(run->job, k, text, 0);
    }
    uno_job_finish_fault(run->job, k, text);
    /* what the launcher did itself does not count */
    if (status && run->phase < UNO_TERMINATED) {
        if (run->failed < 0)
            run->failed = k;
        if (status > run->status)
            run->status = status;
        if (run->phase == UNO_RUNS)
            enter(run, UNO_GRACE, 0, GRACE);
    }
    run->ended_open[k] |= !result && uno_load32_relaxed(&run->job->board[k].state) == UNO_JOINED;
    /* SYNC LEFT: every post of this PE, and the fault */
    uno_store32_release(&run->job->board[k].state, UNO_LEFT);
}

/* The process of PE k has. */
static void close_record(struct uno_run *run, int k) {
    if (!run->made->observe)
        return;
    uno_job_restore(run->job, run->made);
    uno_record_close(run->job, k, now());
}

static bool has_left(const struct uno_run *run, int k) {
    /* SYNC LEFT: that its end is no failure */
    return uno_load32_acquire(&run->job->board[k].state) == UNO_LEFT;
}

/* The process that was started for PE k has ended, or the PE that it had left. */
static void lose(struct uno_run *run, int k) {
    run->child[k] = 0;
    run->alive--;
}

/* PEs below wrappers that have ended. */
static void look_at_wrapped(struct uno_run *run) {
    int result;
    for (int k; (k = uno_wrapped_next(&run->wrapped, &result)) >= 0;) {
        close_record(run, k);
        if (run->child[k] == run->wrapped.pe[k].pid)
            lose(run, k);
        if (has_left(run, k))
            continue;
        if (result >= 0)
            ended(run, k, result);
        else
            run->unexplained = now() + EXPLANATION;
    }
}

/* Those of them of which nobody has said how they ended: whoever waits for one will. */
static void give_up_explanations(struct uno_run *run) {
    run->unexplained = 0;
    for (int k = 0; k < run->launch->n; k++)
        if (run->wrapped.pe[k].lost && !has_left(run, k))
            ended(run, k, 0);
}

/* A process tells that it checks in as a PE; it may have ended since. */
static void checked_in(struct uno_run *run, const struct signalfd_siginfo *info) {
    int k = info->ssi_int;
    if (k < 0 || k >= run->launch->n || !run->child[k] || run->child[k] == (pid_t)info->ssi_pid)
        return;
    if (!uno_wrapped_add(&run->wrapped, k, (pid_t)info->ssi_pid))
        run->unexplained = now() + EXPLANATION;
    uno_store32_relaxed(&run->job->board[k].watched, 1);
}

/* The wrapper of PE k has dealt with its PE's failure, and ended well: that counts. Whoever waits for the PE
 * has been told all the same. */
static void forgive(struct uno_run *run, int k) {
    run->result[k] = 0;
    run->status = 0;
    run->failed = -1;
    for (int m = run->launch->n - 1; m >= 0; m--)
        if (run->result[m]) {
            run->failed = m;
            if (exit_status(run->result[m]) > run->status)
                run->status = exit_status(run->result[m]);
        }
    if (run->failed < 0 && run->phase == UNO_GRACE)
        enter(run, UNO_RUNS, 0, 0);
}

/* The simulated unit has ended: well when all PEs have left, or one has failed. */
static void unplugged(struct uno_run *run, int result) {
    run->hardware = 0;
    if (!result || run->phase != UNO_RUNS)
        return;
    if (WIFSIGNALED(result))
        uno_say(&run->output, "the simulated %s was killed by signal %d (%s)", run->launch->unit->name,
                WTERMSIG(result), strsignal(WTERMSIG(result)));
    else
        uno_say(&run->output, "the simulated %s has ended", run->launch->unit->name);
    if (!run->status)
        run->status = EXIT_FAILURE;
    enter(run, UNO_TERMINATED, SIGTERM, TERMINATION);
}

/* The process that has checked in as PE k below a wrapper, and lives; 0: there is none. Its signal may come
 * only after the end of its wrapper. */
static pid_t wrapped_pe(struct uno_run *run, int k) {
    pid_t pid = (pid_t)uno_load32_relaxed(&run->job->board[k].claimed);
    if (!uno_wrapped_process(&run->wrapped, k) && !has_left(run, k) && pid > 0 && pid != run->child[k] &&
        uno_process_below(pid, getpid()) && uno_wrapped_add(&run->wrapped, k, pid))
        uno_store32_relaxed(&run->job->board[k].watched, 1);
    return uno_wrapped_process(&run->wrapped, k);
}

/* The wrapper of PE k has ended so, but not its PE. If that was well, it has done its part, say put a program
 * into the background, and the PE is waited for in its stead. Whether it is. */
static bool inherit(struct uno_run *run, int k, int result) {
    if (uno_wrapped_process(&run->wrapped, k) != run->child[k])
        look_at_wrapped(run); /* it may have ended since the last look, and before its wrapper */
    pid_t pe = wrapped_pe(run, k);
    if (!pe || pe == run->child[k])
        return false;
    if (result)
        uno_wrapped_kill(&run->wrapped, k);
    else
        run->child[k] = pe;
    return !result;
}

static void reap(struct uno_run *run) {
    look_at_wrapped(run); /* before their wrappers, which end since they have */
    int result;
    for (pid_t pid; (pid = waitpid(-1, &result, WNOHANG)) > 0;) {
        if (pid == run->hardware)
            unplugged(run, result);
        for (int k = 0; k < run->launch->n; k++)
            if (run->child[k] == pid) {
                if (inherit(run, k, result))
                    break;
                lose(run, k);
                if (run->job->board[k].pid == pid) /* the processes of a wrapper may live on */
                    close_record(run, k);
                if (run->result[k] && !result && run->phase < UNO_TERMINATED)
                    forgive(run, k);
                ended(run, k, result);
                break;
            }
    }
}

static void end_by(struct uno_run *run, const struct signalfd_siginfo *info) {
    int number = (int)info->ssi_signo;
    uint64_t t = now();
    if (run->signal && t - run->signaled < SAME_SIGNAL)
        return;
    run->ends++;
    if (run->signal) {
        enter(run, UNO_KILLED, SIGKILL, 0);
        return;
    }
    run->signal = number;
    run->signaled = t;
    /* what the terminal sends, the PEs have received already */
    enter(run, UNO_TERMINATED, info->ssi_code == SI_KERNEL ? 0 : number, SIGNAL_GRACE);
}

static void signaled(struct uno_run *run) {
    struct signalfd_siginfo info;
    while (read(run->signals, &info, sizeof info) == sizeof info) {
        if ((int)info.ssi_signo == UNO_CHECKED_IN) {
            checked_in(run, &info);
            continue;
        }
        if ((int)info.ssi_signo == UNO_GANG_TURN)
            continue;
        switch ((int)info.ssi_signo) {
        case SIGCHLD:
            reap(run);
            break;
        case SIGUSR1:
            uno_say(&run->output, "where the PEs are:");
            say_all(run, report);
            break;
        case SIGUSR2:
            send_all(run, SIGUSR2);
            break;
        case SIGHUP:
        case SIGINT:
        case SIGQUIT:
        case SIGTERM:
            end_by(run, &info);
            break;
        case SIGTSTP:
            uno_turns_sleep(&run->turns);
            break;
        case SIGCONT:
            uno_turns_wake(&run->turns);
            break;
        default: /* UNO_GUARD_GONE */
            send_all(run, SIGKILL);
            uno_kill_descendants();
            _exit(UNO_EXIT_SIGNAL + SIGKILL);
        }
    }
}

/* ---- deadlock ---------------------------------------------------------------------------------------- */

static void report_deadlock(struct uno_run *run, const int *waits_for) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return;
    fputs("unisono run: deadlock: ", f);
    uno_deadlock_cycle(f, run->launch->n, waits_for);
    fputs("; where the PEs are:\n", f);
    report_end(f, run);
    uno_outsiders(f, run);
    if (fclose(f) == 0)
        uno_output_say(&run->output, text, length);
    free(text);
}

/* End the job if none of its PEs will ever go on. */
static void look_for_deadlock(struct uno_run *run) {
    run->look = now() + LOOK;
    if (!run->mail.base)
        run->mail = uno_shown_map(run->made, run->spawn.memory);
    int *waits_for = uno_deadlock(run->job, &run->mail);
    if (waits_for) {
        run->look = 0;
        run->deadlocked = true;
        report_deadlock(run, waits_for);
        enter(run, UNO_TERMINATED, SIGTERM, TERMINATION);
    }
    free(waits_for);
}

static void pass_time(struct uno_run *run) {
    uint64_t t = now();
    if (run->next && t >= run->next) {
        if (run->phase == UNO_GRACE)
            enter(run, UNO_TERMINATED, SIGTERM, TERMINATION);
        else
            enter(run, UNO_KILLED, SIGKILL, 0);
    }
    if (run->unexplained && t >= run->unexplained)
        give_up_explanations(run);
    if (run->look && t >= run->look && run->phase == UNO_RUNS)
        look_for_deadlock(run);
    if (run->search && t >= run->search)
        uno_strangers_search(run);
    if (run->timeout && t >= run->timeout + uno_turns_lost(&run->turns)) {
        run->timeout = 0;
        if (run->phase != UNO_RUNS)
            return;
        run->timed_out = true;
        uno_say(&run->output, "timeout after %g s; where the PEs are:", run->launch->timeout);
        say_all(run, report_end);
        enter(run, UNO_TERMINATED, SIGTERM, TERMINATION);
    }
}

/* ---- the watch ---------------------------------------------------------------------------------------- */

int uno_watch_open(struct uno_run *run) {
    sigset_t set;
    uno_guard_signals(&set);
    run->failed = -1;
    if (run->launch->gang)
        sigorset(&set, &set, &run->turns.signals);
    run->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (run->launch->timeout > 0)
        run->timeout = now() + (uint64_t)(run->launch->timeout * 1e9);
    run->look = now() + LOOK;
    if (run->launch->n > 1 && run->launch->mpi)
        uno_strangers_search(run);
    return run->signals < 0 ? -errno : 0;
}

/* When something is due, in ns; 0: nothing is. */
static uint64_t due(const struct uno_run *run) {
    const struct uno_gang *gang = run->turns.gang;
    const uint64_t all[] = {run->next,        run->timeout ? run->timeout + uno_turns_lost(&run->turns) : 0,
                            run->unexplained, run->look,
                            run->search,      gang ? uno_gang_next(gang) : 0};
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] && (!first || all[i] < first))
            first = all[i];
    return first;
}

/* The line that says how a job ended that did not end well. */
static void conclude(struct uno_run *run) {
    char text[UNO_FAULT_TEXT];
    uint32_t followers = uno_load32_relaxed(&run->job->followers);
    if (followers > UNO_SPEAKERS && followers < (uint32_t)run->launch->n)
        uno_say(&run->output, "%u more PEs have ended for the same reason", followers - UNO_SPEAKERS);
    if (run->signal) {
        uno_say(&run->output, "ended by signal %d (%s)", run->signal, strsignal(run->signal));
    } else if (run->failed >= 0 && !run->timed_out && !run->deadlocked) {
        /* SYNC FAULT: who failed. Others may have ended before it, because they knew. */
        int first = uno_load32_acquire(&run->job->fault) == UNO_FAULT ? run->job->fault_pe : run->failed;
        if (first < 0 || first >= run->launch->n || !run->result[first])
            first = run->failed;
        describe(first, run->result[first], text);
        uno_say(&run->output, "%s", text);
    }
}

static void stats(FILE *f, const struct uno_run *run) {
    uno_stats_table(f, run->job, run->over);
}

static void report_sinks(struct uno_run *run) {
    for (int i = 0; i < 2; i++) {
        struct uno_sink *sink = &run->output.sink[i];
        /* that a reader went away, the PE that was writing to it tells too */
        if (!sink->error || (sink->error == EPIPE && run->failed >= 0))
            continue;
        uno_say(&run->output, "cannot write %s: %s", sink->name, strerror(sink->error));
        if (!run->status)
            run->status = EXIT_FAILURE;
    }
}

/* Wait until a signal has come, or some output, or a reader that is slow; or until this time, if it is not 0.
 */
static void await(struct uno_run *run, uint64_t until) {
    struct pollfd ready[] = {
        {.fd = run->signals, .events = POLLIN},
        {.fd = run->output.epoll, .events = POLLIN},
        {.fd = run->wrapped.epoll, .events = POLLIN},
        {.fd = run->turns.gang ? uno_gang_events(run->turns.gang) : -1, .events = POLLIN}};
    uint64_t t = now(), ns = until > t ? until - t : 0;
    struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    ppoll(ready, sizeof ready / sizeof *ready, until ? &left : NULL, NULL);
}

void uno_watch_step(struct uno_run *run) {
    uno_output_step(&run->output);
    signaled(run);
    look_at_wrapped(run);
    pass_time(run);
    uno_turns_step(&run->turns);
}

int uno_watch(struct uno_run *run) {
    while (run->alive) {
        await(run, due(run));
        uno_watch_step(run);
    }
    uno_turns_end(&run->turns);
    uno_strangers_left(run);
    uno_kill_descendants();
    uno_shown_unmap(&run->mail);
    run->over = now();
    uno_job_restore(run->job, run->made); /* nobody is left to write into it */
    for (int k = 0; run->job->observe && k < run->launch->n; k++)
        uno_record_close(run->job, k, run->over);
    bool concluded = false;
    unsigned ends = run->ends;
    for (;;) {
        bool all = uno_output_finish(&run->output);
        if (all && concluded)
            break;
        if (all) {
            report_sinks(run);
            if (run->launch->stats)
                say_all(run, stats);
            uno_strangers_tell(run);
            conclude(run);
            concluded = true;
            continue;
        }
        /* a signal ends the wait for a slow reader */
        await(run, 0);
        signaled(run);
        if (run->ends != ends)
            break;
    }
    return run->deadlocked ? UNO_EXIT_DEADLOCK : run->timed_out ? UNO_EXIT_TIMEOUT : run->status;
}

bool uno_watch_interrupted(struct uno_run *run) {
    unsigned ends = run->ends;
    signaled(run);
    return run->ends != ends;
}
