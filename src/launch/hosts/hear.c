#define _GNU_SOURCE
#include "hear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernel.h"
#include "gather.h"
#include "launch/ends.h"
#include "launch/exit.h"
#include "launch/say.h"
#include "lose.h"
#include "merge.h"
#include "quiet.h"

/* The time that agents have to answer: they stop PEs, two seconds at most, to find where they are. */
static const uint64_t PATIENCE = UINT64_C(3000000000);

/* Pass a frame on to all agents but that of this node. */
static void pass_on(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    for (int i = 0; i < c->far->hosts->count; i++)
        if (i != node && !c->node[i].gone)
            uno_link_pass(&c->node[i].link, frame);
}

/* Return true if PE k is one of this node. */
static bool is_of(const struct uno_coordinator *c, int node, int k) {
    return k >= 0 && k < c->far->launch->n && c->far->hosts->seat[k] == node;
}

/* ---- the beginning ----------------------------------------------------------------------------------- */

static void tell_all(struct uno_coordinator *c) {
    const struct uno_far_launch *far = c->far;
    for (int i = 0; i < far->hosts->count; i++)
        if (!c->node[i].greeted)
            return;
    for (int i = 0; i < far->hosts->count && !c->ending; i++)
        uno_job_tell(&c->node[i].link, far->launch, far->hosts, &far->wishes, i, environ);
    c->told = true;
    uno_gather_began(c);
    if (far->launch->timeout > 0)
        c->timeout = uno_kernel_now() + (uint64_t)(far->launch->timeout * 1e9);
}

static bool hear_hello(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    uint64_t magic;
    const char *version, *name = c->far->hosts->name[node];
    if (!uno_frame_get(frame, &magic, &version) || c->node[node].greeted)
        return false;
    if (strcmp(version, UNISONO_VERSION) != 0)
        uno_lose_refuse(c, EXIT_FAILURE,
                        "%s: the version of Unisono there is %.40s, and here " UNISONO_VERSION
                        "; install the same one on all machines",
                        name, version);
    else if (magic != UNO_MAGIC)
        uno_lose_refuse(c, EXIT_FAILURE,
                        "%s: another build of version " UNISONO_VERSION
                        " is there than here; install the same one on all machines",
                        name);
    c->node[node].greeted = true;
    uno_gather_greeted(c, node);
    if (!c->ending)
        tell_all(c);
    return true;
}

static bool hear_alive(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    (void)c, (void)node;
    return uno_frame_get(frame);
}

static bool hear_begun(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    c->node[node].begun = true;
    return uno_frame_get(frame);
}

static bool hear_address(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k;
    const char *address;
    size_t bytes;
    if (!uno_frame_get(frame, &k, &address, &bytes) || !is_of(c, node, k))
        return false;
    pass_on(c, node, frame);
    return true;
}

/* ---- ends -------------------------------------------------------------------------------------------- */

static bool hear_fault(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k;
    uint64_t about;
    const char *text;
    if (!uno_frame_get(frame, &k, &about, &text) || k < 0 || k >= c->far->launch->n)
        return false;
    if (c->fault_pe < 0)
        c->fault_pe = k;
    pass_on(c, node, frame);
    return true;
}

static bool hear_ended(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k, result, counts;
    if (!uno_frame_get(frame, &k, &result, &counts) || !is_of(c, node, k))
        return false;
    if (result && !c->result[k])
        c->result[k] = result;
    if (counts && !c->signal && !c->verdict) {
        c->counts[k] = true;
        if (c->failed < 0 && !*c->gone)
            c->failed = k;
        if (uno_end_status(result) > c->status)
            c->status = uno_end_status(result);
        if (!c->ending)
            c->ending = uno_kernel_now();
    }
    pass_on(c, node, frame);
    return true;
}

static bool hear_forgiven(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k;
    if (!uno_frame_get(frame, &k) || !is_of(c, node, k))
        return false;
    c->result[k] = 0;
    c->counts[k] = false;
    c->status = 0;
    c->failed = -1;
    for (int m = c->far->launch->n - 1; m >= 0; m--)
        if (c->counts[m]) {
            c->failed = m;
            if (uno_end_status(c->result[m]) > c->status)
                c->status = uno_end_status(c->result[m]);
        }
    if (c->failed < 0 && !*c->gone && !c->signal && !c->verdict)
        c->ending = 0;
    pass_on(c, node, frame);
    return true;
}

static bool hear_over(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t status, signal, checked_in;
    if (!uno_frame_get(frame, &status, &signal, &checked_in))
        return false;
    uno_lose_listen(c, node); /* what was said before this */
    c->node[node].over = true;
    c->checked_in += checked_in;
    if (signal)
        uno_lose_gone(c, node, "its agent was ended by signal %d (%s)", signal, strsignal(signal));
    else if (status > c->status && !c->ending)
        c->status = status;
    return true;
}

/* ---- input and output -------------------------------------------------------------------------------- */

static bool hear_output(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    uno_merge_take(c, node, frame);
    return true;
}

static bool hear_taken(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t which;
    uint64_t bytes;
    (void)node;
    if (!uno_frame_get(frame, &which, &bytes) || which || bytes > c->input_sent)
        return false;
    c->input_sent -= bytes;
    return true;
}

static bool hear_broken(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t which;
    (void)node;
    c->input_over = true;
    return uno_frame_get(frame, &which) && !which;
}

/* ---- reports ----------------------------------------------------------------------------------------- */

static void ask(struct uno_coordinator *c, enum uno_report_ends ends) {
    struct uno_far_report *report = &c->report;
    if (!report->line)
        report->line = calloc((size_t)(c->far->launch->n + c->far->hosts->count), sizeof *report->line);
    report->until = uno_kernel_now() + PATIENCE;
    for (int i = 0; i < c->far->hosts->count; i++) {
        struct uno_far_node *node = &c->node[i];
        node->asked = node->begun && !node->over && !node->gone;
        if (node->asked)
            uno_link_put(&node->link, UNO_FRAME_REPORT, (int)ends);
    }
}

void uno_hear_places(struct uno_coordinator *c) {
    ask(c, UNO_REPORT_ONLY);
}

void uno_hear_last_places(struct uno_coordinator *c, int verdict, char *title) {
    c->verdict = verdict;
    c->ending = uno_kernel_now();
    c->report.title = title;
    ask(c, verdict == UNO_EXIT_DEADLOCK ? UNO_REPORT_DEADLOCK : UNO_REPORT_ENDS);
}

static bool hear_place(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k;
    const char *text;
    if (!uno_frame_get(frame, &k, &text) || (k >= 0 && !is_of(c, node, k)))
        return false;
    char **line = c->report.line ? &c->report.line[k < 0 ? c->far->launch->n + node : k] : NULL;
    if (k < 0)
        c->node[node].asked = false;
    if (line) {
        free(*line);
        *line = strdup(text);
    }
    return true;
}

/* Write the line of PE k. */
static void write_line(FILE *f, const struct uno_coordinator *c, int k) {
    const struct uno_far_launch *far = c->far;
    const struct uno_far_node *node = &c->node[far->hosts->seat[k]];
    if (c->report.line[k])
        fputs(c->report.line[k], f);
    else
        fprintf(f, "  PE %d on %s: %s\n", k, far->hosts->name[far->hosts->seat[k]],
                node->over || node->gone ? "ended"
                : node->begun            ? "no answer"
                                         : "not started");
}

static void show(struct uno_coordinator *c) {
    int n = c->far->launch->n, lines = n + c->far->hosts->count;
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    for (int i = 0; f && c->report.line && i < lines; i++) {
        if (i < n)
            write_line(f, c, i);
        else if (c->report.line[i])
            fputs(c->report.line[i], f);
        free(c->report.line[i]);
    }
    if (f && fclose(f) == 0)
        uno_output_say(&c->output, text, length);
    free(text);
    free(c->report.line);
    free(c->report.title);
    c->report = (struct uno_far_report){0};
}

void uno_hear_report(struct uno_coordinator *c) {
    bool waits = false;
    for (int i = 0; i < c->far->hosts->count; i++)
        waits |= c->node[i].asked && !c->node[i].gone;
    if (!c->report.until || (waits && uno_kernel_now() < c->report.until))
        return;
    if (c->report.title)
        uno_say(&c->output, "%s; where the PEs are:", c->report.title);
    else
        uno_say(&c->output, "where the PEs are:");
    show(c);
}

/* ------------------------------------------------------------------------------------------------------ */

static bool (*const hear[UNO_FRAME_TYPES])(struct uno_coordinator *c, int node,
                                           const struct uno_frame *frame) = {
    [UNO_FRAME_HELLO] = hear_hello,
    [UNO_FRAME_ALIVE] = hear_alive,
    [UNO_FRAME_BEGUN] = hear_begun,
    [UNO_FRAME_ADDRESS] = hear_address,
    [UNO_FRAME_FAULT] = hear_fault,
    [UNO_FRAME_ENDED] = hear_ended,
    [UNO_FRAME_FORGIVEN] = hear_forgiven,
    [UNO_FRAME_OUTPUT] = hear_output,
    [UNO_FRAME_TAKEN] = hear_taken,
    [UNO_FRAME_BROKEN] = hear_broken,
    [UNO_FRAME_PLACE] = hear_place,
    [UNO_FRAME_OVER] = hear_over,
    [UNO_FRAME_QUIET] = uno_quiet_hear,
    [UNO_FRAME_FACTS] = uno_quiet_hear_facts,
    [UNO_FRAME_SITE] = uno_gather_hear_site,
    [UNO_FRAME_RECORD] = uno_gather_hear_record,
    [UNO_FRAME_RECORDS] = uno_gather_hear_records,
    [UNO_FRAME_EVENTS] = uno_gather_hear_events,
    [UNO_FRAME_CLOCK] = uno_gather_hear_clock,
};

bool uno_hear(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    return hear[frame->type] && (c->node[node].greeted || frame->type == UNO_FRAME_HELLO) &&
           hear[frame->type](c, node, frame);
}
