#define _GNU_SOURCE
#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "deadlock.h"
#include "descendants.h"
#include "ends.h"
#include "engine/environment.h"
#include "engine/kernel.h"
#include "engine/observe.h"
#include "exit.h"
#include "far.h"
#include "guard.h"
#include "hardware.h"
#include "node.h"
#include "outsiders.h"
#include "phase.h"
#include "report.h"
#include "say.h"
#include "stats.h"
#include "strangers.h"
#include "unit/unit.h"

/* A signal sent to the whole process group arrives directly and by way of the guard: that is one signal. */
static const uint64_t SAME_SIGNAL = 100 * 1000 * 1000;

/* Say the text of `write`. */
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

void uno_watch_places(FILE *f, const struct uno_run *run, bool last, const struct uno_report_far *far) {
    struct uno_mail mail = uno_shown_map(run->made, run->spawn.memory);
    uno_report(f, run->job, &mail, run->child, last, far);
    uno_shown_unmap(&mail);
}

static void report(FILE *f, const struct uno_run *run) {
    uno_watch_places(f, run, false, NULL);
}

/* The job is to end: its processes may be stopped for the report. */
static void report_end(FILE *f, const struct uno_run *run) {
    uno_watch_places(f, run, true, NULL);
}

/* ---- signals ------------------------------------------------------------------------------------------ */

void uno_watch_end(struct uno_run *run, int number, bool heard) {
    uint64_t t = uno_kernel_now();
    if (run->signal && t - run->signaled < SAME_SIGNAL)
        return;
    run->ends++;
    if (run->signal) {
        uno_phase_enter(run, UNO_KILLED, SIGKILL, 0);
        return;
    }
    run->signal = number;
    run->signaled = t;
    uno_phase_enter(run, UNO_TERMINATED, heard ? 0 : number, UNO_SIGNAL_NS);
}

static void signaled(struct uno_run *run) {
    struct signalfd_siginfo info;
    while (read(run->signals, &info, sizeof info) == sizeof info) {
        if ((int)info.ssi_signo == UNO_CHECKED_IN) {
            uno_ends_checked_in(run, info.ssi_int, (pid_t)info.ssi_pid);
            uno_far_look(run); /* it may have an address now */
            continue;
        }
        if ((int)info.ssi_signo == UNO_GANG_TURN)
            continue;
        switch ((int)info.ssi_signo) {
        case SIGCHLD:
            uno_ends_reap(run);
            break;
        case SIGUSR1:
            uno_say(&run->output, "where the PEs are:");
            say_all(run, report);
            break;
        case SIGUSR2:
            uno_phase_send(run, SIGUSR2);
            break;
        case SIGHUP:
        case SIGINT:
        case SIGQUIT:
        case SIGTERM:
            /* what the terminal sends, the PEs have received already */
            uno_watch_end(run, (int)info.ssi_signo, info.ssi_code == SI_KERNEL);
            break;
        case SIGTSTP:
            uno_turns_sleep(&run->turns);
            break;
        case SIGCONT:
            uno_turns_wake(&run->turns);
            break;
        default: /* UNO_GUARD_GONE */
            uno_phase_send(run, SIGKILL);
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

/* Get ready to look at the job, whose header a PE may have written over. */
static void prepare_look(struct uno_run *run) {
    uno_job_restore(run->job, run->made);
    if (!run->mail.base)
        run->mail = uno_shown_map(run->made, run->spawn.memory);
}

void uno_watch_look(struct uno_run *run) {
    struct uno_node *node = run->launch->node;
    bool apart = false;
    prepare_look(run);
    int *waits_for = run->phase == UNO_RUNS ? uno_deadlock_here(run->job, &run->mail, node, &apart) : NULL;
    node->stuck(run, waits_for, apart);
    free(waits_for);
}

/* End the job if none of its PEs will ever go on. */
static void look_for_deadlock(struct uno_run *run) {
    run->look = uno_kernel_now() + UNO_DEADLOCK_NS;
    prepare_look(run);
    uno_far_look(run);
    if (run->launch->node) {
        uno_watch_look(run);
        return;
    }
    if (!uno_hardware_still(run))
        return;
    int *waits_for = uno_deadlock(run->job, &run->mail);
    if (waits_for) {
        run->look = 0;
        run->deadlocked = true;
        report_deadlock(run, waits_for);
        uno_phase_enter(run, UNO_TERMINATED, SIGTERM, UNO_TERMINATION_NS);
    }
    free(waits_for);
}

static void pass_time(struct uno_run *run) {
    uint64_t t = uno_kernel_now();
    if (run->next && t >= run->next) {
        if (run->phase == UNO_GRACE)
            uno_phase_enter(run, UNO_TERMINATED, SIGTERM, UNO_TERMINATION_NS);
        else
            uno_phase_enter(run, UNO_KILLED, SIGKILL, 0);
    }
    if (run->unexplained && t >= run->unexplained)
        uno_ends_unexplained(run);
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
        uno_phase_enter(run, UNO_TERMINATED, SIGTERM, UNO_TERMINATION_NS);
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
        run->timeout = uno_kernel_now() + (uint64_t)(run->launch->timeout * 1e9);
    run->look = uno_kernel_now() + UNO_DEADLOCK_NS;
    if (run->launch->n > 1 && run->launch->mpi)
        uno_strangers_search(run);
    return run->signals < 0 ? -errno : 0;
}

/* Return the time at which something is due, in ns; 0: nothing is. */
static uint64_t due(const struct uno_run *run) {
    const struct uno_gang *gang = run->turns.gang;
    const uint64_t all[] = {run->next,
                            run->timeout ? run->timeout + uno_turns_lost(&run->turns) : 0,
                            run->unexplained,
                            run->look,
                            run->search,
                            run->output.show,
                            gang ? uno_gang_next(gang) : 0};
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] && (!first || all[i] < first))
            first = all[i];
    return first;
}

/* Count the PEs that have ended because another one had failed, and did not say so. */
static void say_followers(struct uno_run *run) {
    const struct uno_node *node = run->launch->node;
    uint32_t followers = uno_load32_relaxed(&run->job->followers);
    if (followers > UNO_SPEAKERS && followers < (uint32_t)run->launch->n)
        uno_say(&run->output, "%u more PEs%s%s have ended for the same reason", followers - UNO_SPEAKERS,
                node ? " on " : "", node ? node->name[node->here] : "");
}

/* The line that says how a job ended that did not end well. */
static void conclude(struct uno_run *run) {
    char text[UNO_FAULT_TEXT];
    if (run->signal) {
        uno_say(&run->output, "ended by signal %d (%s)", run->signal, strsignal(run->signal));
    } else if (run->failed >= 0 && !run->timed_out && !run->deadlocked) {
        /* SYNC FAULT: who failed. Others may have ended before it, because they knew. */
        int first = uno_load32_acquire(&run->job->fault) == UNO_FAULT ? run->job->fault_pe : run->failed;
        if (first < 0 || first >= run->launch->n || !run->result[first])
            first = run->failed;
        uno_end_text(first, NULL, run->result[first], text);
        uno_say(&run->output, "%s", text);
    }
}

static void stats(FILE *f, const struct uno_run *run) {
    uno_records_table(f, &run->records);
}

static void clocks(FILE *f, const struct uno_run *run) {
    uno_stats_unit(f, run->job);
}

/* Wait until a signal has come, or some output, or a reader that is slow; or until this time, if it is not 0.
 */
static void await(struct uno_run *run, uint64_t until) {
    struct pollfd ready[] = {
        {.fd = run->signals, .events = POLLIN},
        {.fd = run->output.epoll, .events = POLLIN},
        {.fd = run->wrapped.epoll, .events = POLLIN},
        {.fd = run->turns.gang ? uno_gang_events(run->turns.gang) : -1, .events = POLLIN},
        {.fd = run->launch->node ? run->launch->node->events : -1, .events = POLLIN}};
    uint64_t t = uno_kernel_now(), ns = until > t ? until - t : 0;
    struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    if (run->launch->node)
        run->launch->node->tell(run);
    ppoll(ready, sizeof ready / sizeof *ready, until ? &left : NULL, NULL);
}

void uno_watch_step(struct uno_run *run) {
    if (run->launch->node)
        run->launch->node->hear(run);
    uno_output_step(&run->output);
    signaled(run);
    uno_ends_look(run);
    pass_time(run);
    uno_turns_step(&run->turns);
}

/* Say what is to be said when all processes have ended, and all of their output is written. */
static void say_last(struct uno_run *run) {
    struct uno_node *node = run->launch->node;
    if (!node)
        uno_say_sinks(&run->output, run->failed >= 0, &run->status);
    if (!node)
        uno_hardware_say(run);
    if (run->launch->stats)
        say_all(run, stats);
    else if (run->launch->clocks)
        say_all(run, clocks);
    uno_strangers_tell(run);
    say_followers(run);
    if (node)
        node->over(run, uno_strangers_pes(run));
    else
        conclude(run);
}

/* Write everything that is still to be written. */
static void finish(struct uno_run *run) {
    struct uno_node *node = run->launch->node;
    bool concluded = false;
    unsigned ends = run->ends;
    for (;;) {
        if (node)
            node->hear(run);
        bool all = uno_output_finish(&run->output);
        if (all && !concluded) {
            say_last(run);
            concluded = true;
            continue;
        }
        if (node)
            node->tell(run);
        if (all && (!node || node->told(node)))
            break;
        /* a signal ends the wait for a slow reader */
        await(run, 0);
        signaled(run);
        if (run->ends != ends)
            break;
    }
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
    run->over = uno_kernel_now();
    uno_job_restore(run->job, run->made); /* nobody is left to write into it */
    for (int k = 0; run->job->observe && k < run->launch->n; k++)
        uno_record_close(run->job, k, run->over);
    if (!run->launch->node)
        uno_records_sum(&run->records, run->job, run->over);
    finish(run);
    return run->deadlocked ? UNO_EXIT_DEADLOCK : run->timed_out ? UNO_EXIT_TIMEOUT : run->status;
}

bool uno_watch_interrupted(void *argument) {
    struct uno_run *run = argument;
    unsigned ends = run->ends;
    signaled(run);
    return run->ends != ends;
}
