/* The coordinator's life: it starts the agents, goes round what they, the user and the clock say, and ends
 * when all agents have. It has no PE and no memory of a job itself. */

#define _GNU_SOURCE
#include "coordinator.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coordination.h"
#include "engine/kernel.h"
#include "gather.h"
#include "hear.h"
#include "launch/deadlock.h"
#include "launch/descendants.h"
#include "launch/ends.h"
#include "launch/exit.h"
#include "launch/guard.h"
#include "launch/refuse.h"
#include "launch/say.h"
#include "lose.h"
#include "merge.h"
#include "pulse.h"
#include "quiet.h"

enum { NODE_FILES = 3, OTHER_FILES = 32 };

/* Times in ns. */
static const uint64_t SAME_SIGNAL = 100 * 1000 * 1000; /* as of launch/watch.c */
/* A process that has closed its output is about to end, and the other way round. */
static const uint64_t LAST_MOMENT = 200 * 1000 * 1000;
/* An agent that has told everything gives its memory back. */
static const uint64_t LAST_WORK = UINT64_C(2000000000);
/* The agents end a job within a second, or two when a signal does; then they are given up. */
static const uint64_t GIVE_UP = UINT64_C(4000000000);
/* The terminal is looked at this often, when the job is in the background and does not read from it. */
static const uint64_t BACKGROUND = 500 * 1000 * 1000;

/* ---- the end of agents ------------------------------------------------------------------------------- */

static void begin_to_close(struct uno_far_node *node) {
    if (!node->closing)
        node->closing = uno_kernel_now();
}

static void reap(struct uno_coordinator *c) {
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        for (int i = 0; i < c->far->hosts->count; i++)
            if (c->node[i].pid == pid) {
                c->node[i].pid = 0;
                c->node[i].ended = status;
                begin_to_close(&c->node[i]);
            }
}

static uint64_t moment_of(const struct uno_far_node *node) {
    return node->over ? LAST_WORK : LAST_MOMENT;
}

/* Nothing more comes from these agents. */
static void look_for_ends(struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++) {
        struct uno_far_node *node = &c->node[i];
        bool late = node->closing && uno_kernel_now() >= node->closing + moment_of(node);
        if (node->gone || !node->closing || !(late || node->silent || (!node->pid && node->link.in < 0)))
            continue;
        if (node->pid)
            kill(node->pid, SIGKILL);
        if (!node->over)
            uno_lose_node(c, i);
        uno_lose_listen(c, i);
        uno_link_close(&node->link);
        node->gone = true;
    }
}

/* Let agents end that have no part in the job any more: one that has begun ends its PEs. */
static void hang_up(struct uno_coordinator *c, bool all) {
    for (int i = 0; i < c->far->hosts->count; i++) {
        struct uno_far_node *node = &c->node[i];
        if (node->gone || !(all || !node->begun))
            continue;
        if (node->pid && (all || !node->greeted))
            kill(node->pid, all ? SIGKILL : SIGTERM);
        uno_link_close(&node->link);
        begin_to_close(node);
    }
}

/* ---- signals ----------------------------------------------------------------------------------------- */

static void send_all(struct uno_coordinator *c, int number, bool ends) {
    for (int i = 0; i < c->far->hosts->count; i++)
        if (c->node[i].begun)
            uno_link_put(&c->node[i].link, UNO_FRAME_SIGNAL, number, (int)ends);
}

static void end_by(struct uno_coordinator *c, int number) {
    uint64_t now = uno_kernel_now();
    if (c->signal && now - c->signaled < SAME_SIGNAL)
        return;
    c->ends++;
    send_all(c, number, true);
    if (c->signal)
        return;
    c->signal = number;
    c->signaled = c->ending = now;
    hang_up(c, false);
}

/* A terminal stops this process, the guard and the command, and the agents are not to take that for silence.
 * Those that have no room for the frame do, in time. */
static void rest(struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++) {
        uno_link_put(&c->node[i].link, UNO_FRAME_REST);
        uno_link_write(&c->node[i].link);
    }
    raise(SIGSTOP);
}

static void signaled(struct uno_coordinator *c) {
    struct signalfd_siginfo info;
    while (read(c->signals, &info, sizeof info) == sizeof info) {
        int number = (int)info.ssi_signo;
        if (number == SIGCHLD) {
            reap(c);
        } else if (number == SIGUSR1) {
            uno_hear_places(c);
        } else if (number == SIGUSR2) {
            send_all(c, SIGUSR2, false);
        } else if (number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM) {
            end_by(c, number);
        } else if (number == SIGTSTP) {
            rest(c);
        } else if (number == UNO_GUARD_GONE) {
            uno_kill_descendants();
            _exit(UNO_EXIT_SIGNAL + SIGKILL);
        }
    }
}

/* ---- time -------------------------------------------------------------------------------------------- */

/* Name the agents that have not answered in time. */
static void give_up_begin(struct uno_coordinator *c) {
    char hint[UNO_HINT];
    for (int i = 0; i < c->far->hosts->count; i++)
        if (!c->node[i].greeted)
            uno_lose_refuse(c, EXIT_FAILURE, "%s: no answer within %g s%s --connect-timeout sets the time",
                            c->far->hosts->name[i], c->far->patience, uno_lose_try(c, i, hint));
}

/* An agent does not end: its machine may stand still, or the connection to it. */
static void give_up_end(struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++)
        if (!c->node[i].over && !c->node[i].gone)
            uno_say(&c->output, "%s: its agent does not end, and is given up", c->far->hosts->name[i]);
    hang_up(c, true);
}

/* Say that this side is there, and give up the nodes of which nothing has come for too long. An agent that
 * writes a report says nothing meanwhile. */
static void beat(struct uno_coordinator *c) {
    if (!uno_pulse_due(c->pulse))
        return;
    for (int i = 0; i < c->far->hosts->count; i++) {
        struct uno_far_node *node = &c->node[i];
        if (node->link.in < 0 || uno_pulse_beat(&node->link) || !node->greeted || c->report.until)
            continue;
        node->silent = true;
        begin_to_close(node);
    }
}

static bool writes(const struct uno_coordinator *c) {
    return c->output.sink[0].end || c->output.sink[1].end;
}

/* End the job, after a report with this title. */
static void __attribute__((format(printf, 3, 4)))
end_by_verdict(struct uno_coordinator *c, int verdict, const char *format, ...) {
    char *title = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&title, format, arguments) < 0)
        title = NULL;
    va_end(arguments);
    uno_hear_last_places(c, verdict, title);
}

static void look_for_deadlock(struct uno_coordinator *c, uint64_t now) {
    char *circle = NULL;
    size_t length = 0;
    int *waits_for = uno_quiet_step(c, now);
    FILE *f = waits_for ? open_memstream(&circle, &length) : NULL;
    if (f) {
        uno_deadlock_cycle(f, c->far->launch->n, waits_for);
        if (fclose(f) == 0)
            end_by_verdict(c, UNO_EXIT_DEADLOCK, "deadlock: %s", circle);
    }
    free(circle);
    free(waits_for);
}

static void pass_time(struct uno_coordinator *c) {
    uint64_t now = uno_kernel_now();
    if (c->begin && c->told)
        c->begin = 0;
    if (c->begin && now >= c->begin) {
        c->begin = 0;
        give_up_begin(c);
    }
    if (c->refused)
        hang_up(c, false);
    if (c->timeout && now >= c->timeout) {
        c->timeout = 0;
        if (!c->ending)
            end_by_verdict(c, UNO_EXIT_TIMEOUT, "timeout after %g s", c->far->launch->timeout);
    }
    look_for_deadlock(c, now);
    if (c->ending && now >= c->ending + GIVE_UP) {
        if (!writes(c)) /* else they wait for the reader of the output */
            give_up_end(c);
        c->ending = now;
    }
}

/* ---- the loop ---------------------------------------------------------------------------------------- */

static uint64_t due(const struct uno_coordinator *c, bool input) {
    uint64_t first = 0;
    bool background = !input && c->told && !c->input_over && isatty(STDIN_FILENO);
    const uint64_t all[] = {
        c->begin,         c->timeout,     c->ending ? c->ending + GIVE_UP : 0,           c->report.until,
        uno_quiet_due(c), c->output.show, background ? uno_kernel_now() + BACKGROUND : 0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] && (!first || all[i] < first))
            first = all[i];
    for (int i = 0; i < c->far->hosts->count; i++) {
        const struct uno_far_node *node = &c->node[i];
        if (node->closing && !node->gone && (!first || node->closing + moment_of(node) < first))
            first = node->closing + moment_of(node);
    }
    return first;
}

/* Wait until something has happened, or is due. */
static void await(struct uno_coordinator *c, struct pollfd *ready) {
    bool input = uno_merge_wants_input(c);
    uint64_t until = due(c, input), now = uno_kernel_now(), ns = until > now ? until - now : 0;
    int count = 0;
    ready[count++] = (struct pollfd){.fd = c->signals, .events = POLLIN};
    ready[count++] = (struct pollfd){.fd = c->output.epoll, .events = POLLIN};
    ready[count++] = (struct pollfd){.fd = c->pulse, .events = POLLIN};
    ready[count++] = (struct pollfd){.fd = input ? STDIN_FILENO : -1, .events = POLLIN};
    for (int i = 0; i < c->far->hosts->count; i++) {
        const struct uno_far_node *node = &c->node[i];
        bool pending = node->link.going.start < node->link.going.end;
        ready[count++] = (struct pollfd){.fd = node->link.in, .events = POLLIN};
        ready[count++] = (struct pollfd){.fd = pending ? node->link.out : -1, .events = POLLOUT};
        ready[count++] = (struct pollfd){.fd = node->err, .events = POLLIN};
    }
    struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    if (ppoll(ready, (nfds_t)count, until ? &left : NULL, NULL) > 0 && ready[3].revents)
        uno_merge_input(c);
}

/* Take in what an agent has said. */
static void hear_node(struct uno_coordinator *c, int i) {
    struct uno_far_node *node = &c->node[i];
    struct uno_frame frame;
    if (node->link.in < 0)
        return;
    bool there = uno_link_read(&node->link);
    int found;
    while ((found = uno_link_next(&node->link, &frame)) > 0)
        if (!uno_hear(c, i, &frame)) {
            found = -1;
            break;
        }
    if (found < 0 && !node->greeted)
        uno_lose_refuse(c, EXIT_FAILURE,
                        "%s: what answers there is no agent of Unisono's; is the program "
                        "unisono there that of this project?",
                        c->far->hosts->name[i]);
    if (found < 0 && node->pid)
        kill(node->pid, SIGKILL);
    if (!there || found < 0) {
        close(node->link.in);
        node->link.in = -1;
        begin_to_close(node);
    }
    if (node->over)
        begin_to_close(node);
}

static bool all_gone(const struct uno_coordinator *c) {
    int i = 0;
    while (i < c->far->hosts->count && c->node[i].gone)
        i++;
    return i == c->far->hosts->count;
}

static void step(struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++) {
        hear_node(c, i);
        uno_lose_listen(c, i);
    }
    signaled(c);
    uno_output_step(&c->output);
    uno_merge_step(c);
    uno_hear_report(c);
    beat(c);
    look_for_ends(c);
    pass_time(c);
    for (int i = 0; i < c->far->hosts->count; i++)
        uno_link_write(&c->node[i].link);
}

/* ---- the beginning and the end ----------------------------------------------------------------------- */

static void conclude(struct uno_coordinator *c) {
    const struct uno_far_launch *far = c->far;
    char text[UNO_FAULT_TEXT];
    int n = far->launch->n;
    if (c->signal) {
        uno_say(&c->output, "ended by signal %d (%s)", c->signal, strsignal(c->signal));
    } else if (c->verdict || c->refused) {
        return;
    } else if (*c->gone) {
        uno_say(&c->output, "%s", c->gone);
    } else if (c->failed >= 0) {
        int first = c->fault_pe >= 0 && c->result[c->fault_pe] ? c->fault_pe : c->failed;
        uno_end_text(first, far->hosts->name[far->hosts->seat[first]], c->result[first], text);
        uno_say(&c->output, "%s", text);
    } else if (!c->status && !c->checked_in && n > 1) {
        uno_say(&c->output, "none of the %d processes has checked in: each has run by itself", n);
    }
}

/* Write the rest of the output, and the last words. */
static void finish(struct uno_coordinator *c) {
    bool concluded = false;
    unsigned ends = c->ends;
    for (int i = 0; i < 2 * c->far->launch->n; i++)
        if (c->stream[i])
            uno_output_end(&c->output, c->stream[i]);
    for (;;) {
        bool all = uno_output_finish(&c->output);
        if (all && concluded)
            break;
        if (all) {
            uno_say_sinks(&c->output, c->failed >= 0, &c->status);
            uno_gather_say(c);
            conclude(c);
            concluded = true;
            continue;
        }
        struct pollfd ready[] = {{.fd = c->signals, .events = POLLIN},
                                 {.fd = c->output.epoll, .events = POLLIN}};
        poll(ready, 2, -1);
        signaled(c);
        if (c->ends != ends)
            break;
    }
}

/* Start the agents. Returns false after a message. */
static bool start(struct uno_coordinator *c) {
    const struct uno_far_launch *far = c->far;
    for (int i = 0; i < far->hosts->count; i++) {
        struct uno_started started;
        int error = uno_agent_start(far, i, &c->mask, &started);
        if (error) {
            char starter[UNO_STARTER];
            uno_agent_starter(far, i, starter);
            uno_lose_refuse(c, EXIT_FAILURE, "%s: cannot run %s: %s", far->hosts->name[i], starter,
                            strerror(-error));
            return false;
        }
        c->node[i].pid = started.pid;
        c->node[i].err = started.err;
        uno_link_open(&c->node[i].link, started.out, started.in, true);
        c->node[i].gone = false;
        uno_link_put(&c->node[i].link, UNO_FRAME_HEARTBEAT, far->silence);
    }
    c->begin = uno_kernel_now() + (uint64_t)(far->patience * 1e9);
    return true;
}

static bool prepare(struct uno_coordinator *c) {
    const struct uno_far_launch *far = c->far;
    size_t n = (size_t)far->launch->n, nodes = (size_t)far->hosts->count;
    struct rlimit limit;
    struct sigaction stop;
    sigset_t set;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < nodes * NODE_FILES + 2 * n + OTHER_FILES) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    signal(SIGPIPE, SIG_IGN);
    uno_guard_signals(&set);
    if (sigismember(&c->mask, SIGTSTP) == 0 && sigaction(SIGTSTP, NULL, &stop) == 0 &&
        stop.sa_handler == SIG_DFL)
        sigaddset(&set, SIGTSTP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    c->pulse = uno_pulse_open(far->silence);
    c->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    c->node = calloc(nodes, sizeof *c->node);
    c->result = calloc(n, sizeof *c->result);
    c->counts = calloc(n, sizeof *c->counts);
    if (c->signals < 0 || !c->node || !c->result || !c->counts) {
        uno_refuse(0, "cannot set up the job: %s", strerror(errno));
        return false;
    }
    for (size_t i = 0; i < nodes; i++)
        c->node[i] = (struct uno_far_node){.err = -1, .gone = true, .link = {.in = -1, .out = -1}};
    return uno_gather_open(c) && uno_merge_open(c);
}

static void release(struct uno_coordinator *c, struct pollfd *ready) {
    for (int i = 0; i < c->far->hosts->count; i++)
        free(c->node[i].said.data);
    uno_quiet_free(c);
    uno_gather_close(c);
    free(c->node);
    free(c->result);
    free(c->counts);
    free(ready);
}

/* Return true if a further signal to end the job has come. */
static bool interrupted(void *argument) {
    struct uno_coordinator *c = argument;
    unsigned ends = c->ends;
    signaled(c);
    return c->ends != ends;
}

/* Clean up after a coordinator that was killed. The guard calls this. */
static void sweep(void *argument, pid_t coordinator) {
    const struct uno_far_launch *far = argument;
    uno_records_sweep(far->launch, coordinator);
}

static int work(void *argument, const sigset_t *mask, pid_t command) {
    struct uno_coordinator c = {
        .far = argument, .mask = *mask, .failed = -1, .fault_pe = -1, .gather.records = UNO_RECORDS_NONE};
    (void)command;
    if (!prepare(&c))
        return EXIT_FAILURE;
    struct pollfd *ready = calloc(4 + 3 * (size_t)c.far->hosts->count, sizeof *ready);
    if (!ready)
        return uno_refuse(EXIT_FAILURE, "cannot set up the job: %s", strerror(errno));
    start(&c);
    while (!all_gone(&c)) {
        await(&c, ready);
        step(&c);
    }
    uno_kill_descendants();
    finish(&c);
    if (!uno_gather_write(&c, interrupted) && !c.status)
        c.status = EXIT_FAILURE;
    uno_merge_close(&c);
    release(&c, ready);
    if (c.signal)
        uno_end_by_signal(c.signal);
    return c.verdict ? c.verdict : c.status;
}

int uno_coordinate(const struct uno_far_launch *far) {
    return uno_guard("unisono run: the coordinator", work, sweep, (void *)far);
}
