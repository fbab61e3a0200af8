/* Everything that an agent does beside its launcher: it passes on what happens here, and does here what the
 * coordinator says. When the coordinator is gone, it ends its PEs. */

#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "engine/nodes.h"
#include "facts.h"
#include "launch/deadlock.h"
#include "launch/ends.h"
#include "launch/far.h"
#include "launch/outsiders.h"
#include "launch/phase.h"
#include "launch/report.h"
#include "launch/watch.h"
#include "pulse.h"

enum {
    WINDOW = 1024 * 1024, /* output that the coordinator has not taken yet, of one stream's kind */
    LINK_READS = 1,       /* marks of epoll */
    LINK_WRITES = 2,
    INPUT_WRITES = 4,
};

static struct uno_agent *agent_of(const struct uno_run *run) {
    return run->launch->node->link;
}

/* ---- what happens here ------------------------------------------------------------------------------- */

static void tell_output(void *node, int pe, int which, const char *text, size_t length) {
    struct uno_agent *agent = ((struct uno_node *)node)->link;
    uno_link_put(&agent->link, UNO_FRAME_OUTPUT, pe, 1 + which, (const void *)text, length);
    if (pe >= 0)
        agent->sent[1 + which] += length;
}

static bool has_room(void *node, int which) {
    const struct uno_agent *agent = ((struct uno_node *)node)->link;
    return ((struct uno_node *)node)->lost || agent->sent[1 + which] < WINDOW;
}

static void tell_address(struct uno_node *node, int k, const char *address, size_t bytes) {
    struct uno_agent *agent = node->link;
    uno_link_put(&agent->link, UNO_FRAME_ADDRESS, k, (const void *)address, bytes);
}

static void tell_fault(struct uno_node *node, int k, uint64_t about, const char *text) {
    struct uno_agent *agent = node->link;
    uno_link_put(&agent->link, UNO_FRAME_FAULT, k, about, text);
}

static void tell_ended(struct uno_node *node, int k, int result, bool counts) {
    struct uno_agent *agent = node->link;
    uno_link_put(&agent->link, UNO_FRAME_ENDED, k, result, (int)counts);
}

static void tell_forgiven(struct uno_node *node, int k) {
    struct uno_agent *agent = node->link;
    uno_link_put(&agent->link, UNO_FRAME_FORGIVEN, k);
}

/* Tell of each PE whom it waits for, and how many packets have gone to it, or come. waits_for: as of
 * uno_deadlock_here; NULL: all PEs here have ended. */
static void tell_facts(struct uno_run *run, uint64_t look, const int *waits_for, bool apart) {
    int n = run->launch->n;
    struct uno_job_nodes *nodes = uno_nodes_of(run->job);
    struct uno_fact *fact = calloc((size_t)n, sizeof *fact);
    for (int k = 0; fact && k < n; k++) {
        fact[k].packets = uno_load64_relaxed(&nodes->place[k].packets);
        fact[k].waits_for = waits_for                      ? waits_for[k]
                            : uno_node_has(run->launch, k) ? UNO_STUCK_LEFT
                                                           : UNO_STUCK_FAR;
    }
    uno_link_put(&agent_of(run)->link, UNO_FRAME_FACTS, look, (int)apart, (const void *)fact,
                 fact ? (size_t)n * sizeof *fact : 0);
    free(fact);
}

static void tell_stuck(struct uno_run *run, const int *waits_for, bool apart) {
    struct uno_agent *agent = agent_of(run);
    enum uno_quiet_state quiet = !waits_for ? UNO_QUIET_NOT : apart ? UNO_QUIET_APART : UNO_QUIET_HERE;
    if (quiet != agent->quiet)
        uno_link_put(&agent->link, UNO_FRAME_QUIET, (int)quiet);
    agent->quiet = quiet;
    if (agent->look && waits_for)
        tell_facts(run, agent->look, waits_for, apart);
    else if (agent->look)
        uno_link_put(&agent->link, UNO_FRAME_FACTS, agent->look, 0, (const void *)"", (size_t)0);
    agent->look = 0;
}

static void tell_over(struct uno_run *run, int checked_in) {
    struct uno_agent *agent = agent_of(run);
    tell_facts(run, 0, NULL, false); /* PEs of other nodes may still have to take in what these have sent */
    agent->giving.status = run->status;
    agent->giving.signal = agent->asked ? 0 : run->signal;
    agent->giving.checked_in = checked_in;
    uno_give_begin(&agent->giving, run, &agent->link);
}

static bool all_told(const struct uno_node *node) {
    const struct uno_agent *agent = node->link;
    return node->lost || (uno_give_over(&agent->giving) && agent->link.going.start == agent->link.going.end);
}

static void begun(struct uno_node *node) {
    struct uno_agent *agent = node->link;
    if (node->input >= 0)
        close(node->input); /* so that a PE 0 that ends, or closes it, shows */
    node->input = -1;
    uno_link_put(&agent->link, UNO_FRAME_BEGUN);
}

/* ---- what the coordinator says ----------------------------------------------------------------------- */

static void hear_address(struct uno_run *run, const struct uno_frame *frame) {
    int32_t k;
    const char *address;
    size_t bytes;
    if (!uno_frame_get(frame, &k, &address, &bytes))
        return;
    uno_far_hear(run, k, address, bytes);
    agent_of(run)->woken = true;
}

static void hear_fault(struct uno_run *run, const struct uno_frame *frame) {
    int32_t k;
    uint64_t about;
    const char *text;
    if (!uno_frame_get(frame, &k, &about, &text) || k < 0 || k >= run->launch->n)
        return;
    run->fault_told = true;
    uno_job_set_fault(run->job, k, text, about);
}

static void hear_ended(struct uno_run *run, const struct uno_frame *frame) {
    int32_t k, result, counts;
    if (uno_frame_get(frame, &k, &result, &counts))
        uno_ends_far(run, k, result);
}

static void hear_forgiven(struct uno_run *run, const struct uno_frame *frame) {
    int32_t k;
    if (uno_frame_get(frame, &k) && k >= 0 && k < run->launch->n &&
        run->launch->node->seat[k] != run->launch->node->here)
        uno_ends_forgive(run, k);
}

static void hear_gone(struct uno_run *run, const struct uno_frame *frame) {
    int32_t node;
    const char *text;
    if (uno_frame_get(frame, &node, &text))
        uno_ends_node(run, node, text);
}

static void hear_input(struct uno_run *run, const struct uno_frame *frame) {
    struct uno_agent *agent = agent_of(run);
    const char *data;
    size_t bytes;
    if (!uno_frame_get(frame, &data, &bytes))
        return;
    agent->input_ended |= !bytes;
    if (agent->writes >= 0)
        uno_bytes_add(&agent->input, data, bytes);
}

static void hear_taken(struct uno_run *run, const struct uno_frame *frame) {
    struct uno_agent *agent = agent_of(run);
    int32_t which;
    uint64_t bytes;
    if (uno_frame_get(frame, &which, &bytes) && (which == 1 || which == 2))
        agent->sent[which] -= bytes < agent->sent[which] ? bytes : agent->sent[which];
}

static void hear_broken(struct uno_run *run, const struct uno_frame *frame) {
    int32_t which;
    if (uno_frame_get(frame, &which) && (which == 1 || which == 2))
        uno_output_break(&run->output, which - 1);
}

static void hear_signal(struct uno_run *run, const struct uno_frame *frame) {
    int32_t number, ends;
    if (!uno_frame_get(frame, &number, &ends))
        return;
    if (ends) {
        agent_of(run)->asked = true;
        uno_watch_end(run, number, false);
    } else {
        uno_phase_send(run, number);
    }
}

static void hear_look(struct uno_run *run, const struct uno_frame *frame) {
    if (uno_frame_get(frame, &agent_of(run)->look) && run->alive)
        uno_watch_look(run);
}

/* The lines of one PE, in a report. */
struct places {
    struct uno_agent *agent;
    FILE *f;
    char *text;
    size_t length, from;
};

static void tell_place(void *argument, int k) {
    struct places *places = argument;
    if (fflush(places->f))
        return;
    uno_link_put(&places->agent->link, UNO_FRAME_PLACE, k, places->text + places->from);
    places->from = places->length;
}

static void hear_report(struct uno_run *run, const struct uno_frame *frame) {
    struct places places = {.agent = agent_of(run)};
    const struct uno_report_far far = {run->launch, tell_place, &places};
    int32_t ends;
    if (!uno_frame_get(frame, &ends))
        return;
    if ((places.f = open_memstream(&places.text, &places.length))) {
        uno_job_restore(run->job, run->made);
        uno_watch_places(places.f, run, ends, &far);
        if (ends == UNO_REPORT_DEADLOCK)
            uno_outsiders(places.f, run);
        tell_place(&places, -1);
        fclose(places.f);
        free(places.text);
    }
    if (ends && run->phase < UNO_TERMINATED)
        uno_phase_enter(run, UNO_TERMINATED, SIGTERM, UNO_TERMINATION_NS);
}

static void hear_rest(struct uno_run *run, const struct uno_frame *frame) {
    if (uno_frame_get(frame))
        agent_of(run)->rests = true;
}

static void hear_send(struct uno_run *run, const struct uno_frame *frame) {
    if (uno_frame_get(frame))
        uno_give_asked(&agent_of(run)->giving);
}

/* The sooner the answer goes, the better the coordinator knows this machine's clock. */
static void answer_clock(struct uno_link *link, const struct uno_frame *frame) {
    uint64_t asked, none;
    if (!uno_frame_get(frame, &asked, &none))
        return;
    uno_link_put(link, UNO_FRAME_CLOCK, asked, uno_kernel_now());
    uno_link_write(link);
}

static void hear_clock(struct uno_run *run, const struct uno_frame *frame) {
    answer_clock(&agent_of(run)->link, frame);
}

static void (*const hear[UNO_FRAME_TYPES])(struct uno_run *run, const struct uno_frame *frame) = {
    [UNO_FRAME_ADDRESS] = hear_address,   [UNO_FRAME_FAULT] = hear_fault,
    [UNO_FRAME_ENDED] = hear_ended,       [UNO_FRAME_GONE] = hear_gone,
    [UNO_FRAME_FORGIVEN] = hear_forgiven, [UNO_FRAME_INPUT] = hear_input,
    [UNO_FRAME_TAKEN] = hear_taken,       [UNO_FRAME_BROKEN] = hear_broken,
    [UNO_FRAME_SIGNAL] = hear_signal,     [UNO_FRAME_REPORT] = hear_report,
    [UNO_FRAME_REST] = hear_rest,         [UNO_FRAME_LOOK] = hear_look,
    [UNO_FRAME_SEND] = hear_send,         [UNO_FRAME_CLOCK] = hear_clock,
};

/* The coordinator is gone: nobody waits for the PEs any more. */
static void lose(struct uno_run *run) {
    struct uno_agent *agent = agent_of(run);
    run->launch->node->lost = true;
    uno_link_close(&agent->link);
    uno_phase_enter(run, UNO_KILLED, SIGKILL, 0);
}

/* Say that this agent is there, if it is time for that: also while it starts PEs, and does not wait for
 * anything. Returns false if the coordinator has been silent for too long. */
static bool beat(struct uno_agent *agent) {
    if (!uno_pulse_due(agent->pulse))
        return true;
    bool heard = uno_pulse_beat(&agent->link);
    uno_link_write(&agent->link);
    return heard || agent->rests;
}

static void hear_all(struct uno_run *run) {
    struct uno_agent *agent = agent_of(run);
    struct uno_frame frame;
    if (run->launch->node->lost)
        return;
    bool there = uno_link_read(&agent->link);
    int found;
    while ((found = uno_link_next(&agent->link, &frame)) > 0) {
        agent->rests = false;
        if (hear[frame.type])
            hear[frame.type](run, &frame);
    }
    if (agent->woken) /* once for all that have come */
        uno_kernel_wake(&uno_nodes_of(run->job)->addresses);
    agent->woken = false;
    if (!there || found < 0 || !beat(agent))
        lose(run);
}

/* ---- waiting ----------------------------------------------------------------------------------------- */

/* Write to PE 0 what has come for it. */
static void write_input(struct uno_agent *agent) {
    if (agent->writes < 0)
        return;
    ssize_t took = uno_bytes_write(&agent->input, agent->writes);
    if (took > 0)
        uno_link_put(&agent->link, UNO_FRAME_TAKEN, 0, (uint64_t)took);
    bool ended = took >= 0 && agent->input_ended && agent->input.start == agent->input.end;
    if (took >= 0 && !ended)
        return;
    if (took < 0)
        uno_link_put(&agent->link, UNO_FRAME_BROKEN, 0);
    close(agent->writes); /* which takes it out of the set, too */
    agent->writes = -1;
    agent->watched &= ~(uint32_t)INPUT_WRITES;
}

/* Await an event of a descriptor, or not any more. */
static void await(struct uno_node *node, int fd, uint32_t mark, uint32_t events, bool wanted) {
    struct uno_agent *agent = node->link;
    if (fd < 0 || wanted == ((agent->watched & mark) != 0))
        return;
    struct epoll_event event = {.events = events};
    if (epoll_ctl(node->events, wanted ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, fd, &event) == 0)
        agent->watched ^= mark;
}

static void tell_all(struct uno_run *run) {
    struct uno_node *node = run->launch->node;
    struct uno_agent *agent = node->link;
    if (node->lost)
        return;
    write_input(agent);
    do
        uno_link_write(&agent->link);
    while (uno_give_step(&agent->giving, run, &agent->link));
    await(node, agent->link.in, LINK_READS, EPOLLIN, true);
    await(node, agent->link.out, LINK_WRITES, EPOLLOUT, agent->link.going.start < agent->link.going.end);
    await(node, agent->writes, INPUT_WRITES, EPOLLOUT, agent->input.start < agent->input.end);
}

static int open_node(struct uno_node *node) {
    struct uno_agent *agent = node->link;
    int end[2];
    node->input = agent->writes = -1;
    node->events = epoll_create1(EPOLL_CLOEXEC);
    if (node->events < 0)
        return -errno;
    struct epoll_event event = {.events = EPOLLIN};
    if (agent->pulse >= 0 && epoll_ctl(node->events, EPOLL_CTL_ADD, agent->pulse, &event))
        return -errno;
    if (node->seat[0] != node->here)
        return 0;
    if (pipe2(end, O_CLOEXEC))
        return -errno;
    node->input = end[0];
    agent->writes = end[1];
    fcntl(end[1], F_SETFL, O_NONBLOCK);
    return 0;
}

/* ---- the beginning ----------------------------------------------------------------------------------- */

static const struct uno_node functions = {
    .input = -1,
    .events = -1,
    .open = open_node,
    .begun = begun,
    .output = tell_output,
    .room = has_room,
    .address = tell_address,
    .fault = tell_fault,
    .ended = tell_ended,
    .forgiven = tell_forgiven,
    .stuck = tell_stuck,
    .hear = hear_all,
    .tell = tell_all,
    .over = tell_over,
    .told = all_told,
};

/* Keep standard input and output for the coordinator alone. Returns false if they are closed. */
static bool take_link(struct uno_link *link) {
    int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in < 0 || out < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return false;
    close(null);
    uno_link_open(link, in, out, false);
    return true;
}

/* Take in a frame that comes before the PEs start. Returns false if it does not belong here. */
static bool hear_early(struct uno_agent *agent, const struct uno_frame *frame) {
    uint64_t silence;
    agent->rests = frame->type == UNO_FRAME_REST;
    if (frame->type == UNO_FRAME_HEARTBEAT && agent->pulse < 0 && uno_frame_get(frame, &silence)) {
        agent->pulse = uno_pulse_open(silence);
        return true;
    }
    if (frame->type == UNO_FRAME_CLOCK) {
        answer_clock(&agent->link, frame);
        return true;
    }
    return frame->type == UNO_FRAME_ALIVE || agent->rests || uno_job_hear(&agent->told, frame);
}

bool uno_agent_begin(struct uno_agent *agent) {
    struct uno_frame frame;
    *agent = (struct uno_agent){.writes = -1, .pulse = -1, .told.node = functions};
    if (!take_link(&agent->link))
        return false;
    uno_bytes_add(&agent->link.going, UNO_FRAME_MARK, sizeof UNO_FRAME_MARK - 1);
    uno_link_put(&agent->link, UNO_FRAME_HELLO, (uint64_t)UNO_MAGIC, UNISONO_VERSION);
    while (!agent->told.whole) {
        bool pending = agent->link.going.start < agent->link.going.end;
        struct pollfd ready[] = {{.fd = agent->link.in, .events = POLLIN},
                                 {.fd = pending ? agent->link.out : -1, .events = POLLOUT},
                                 {.fd = agent->pulse, .events = POLLIN}};
        if (poll(ready, 3, -1) < 0 && errno != EINTR)
            return false;
        if (pending)
            uno_link_write(&agent->link);
        bool there = !ready[0].revents || uno_link_read(&agent->link);
        int found = 0;
        while (!agent->told.whole && (found = uno_link_next(&agent->link, &frame)) > 0)
            if (!hear_early(agent, &frame))
                return false;
        if (!agent->told.whole && (!there || found < 0 || !beat(agent)))
            return false;
    }
    agent->told.node.link = agent;
    agent->told.launch.node = &agent->told.node;
    return true;
}
