#define _GNU_SOURCE
#include "gather.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "engine/observe.h"
#include "launch/memory.h"
#include "launch/refuse.h"
#include "launch/say.h"
#include "pieces.h"

/* ---- the beginning ----------------------------------------------------------------------------------- */

/* Make the memories. Returns 0 or an errno. */
static int make(struct uno_gather *gather, const struct uno_far_launch *far) {
    int n = far->launch->n;
    gather->size = uno_job_size(n, gather->observe);
    gather->place = calloc((size_t)n * UNO_SEEN_SITES, sizeof *gather->place);
    gather->clock = calloc((size_t)far->hosts->count, sizeof *gather->clock);
    gather->conversion = calloc((size_t)far->hosts->count, sizeof *gather->conversion);
    gather->offset = calloc((size_t)far->hosts->count, sizeof *gather->offset);
    void *job = mmap(NULL, gather->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (job == MAP_FAILED || !gather->place || !gather->clock || !gather->conversion || !gather->offset)
        return ENOMEM;
    for (int i = 0; i < far->hosts->count; i++)
        gather->offset[i].error = UINT64_MAX;
    gather->job = job;
    uno_job_format(gather->job, n, 1, gather->observe);
    int error = -uno_seen_make(&gather->seen, n);
    if (!error)
        fcntl(gather->seen.fd, F_SETFD, FD_CLOEXEC);
    return error;
}

bool uno_gather_open(struct uno_coordinator *c) {
    struct uno_gather *gather = &c->gather;
    const struct uno_hosts *hosts = c->far->hosts;
    gather->observe = uno_records_wanted(c->far->launch);
    if (!gather->observe)
        return true;
    int error = make(gather, c->far);
    if (error) {
        uno_refuse(0, "cannot make the memory for the records of %d PEs: %s", c->far->launch->n,
                   strerror(error));
        return false;
    }
    gather->far =
        (struct uno_calls_far){.seats = {hosts->count, c->far->hosts->name, hosts->seat, gather->offset},
                               .clock = gather->clock,
                               .place = gather->place};
    return uno_records_open(&gather->records, c->far->launch);
}

void uno_gather_began(struct uno_coordinator *c) {
    if (c->gather.job)
        uno_memory_describe(c->gather.job, c->far->launch, getppid());
}

/* ---- clocks ------------------------------------------------------------------------------------------ */

enum { QUESTIONS = 16 };

static bool has_timeline(const struct uno_coordinator *c) {
    return c->gather.observe & UNO_TRACE;
}

/* Ask an agent for the time; the question goes at once, so that nothing is in its way. */
static void ask(struct uno_far_node *node) {
    uno_link_put(&node->link, UNO_FRAME_CLOCK, uno_kernel_now(), (uint64_t)0);
    uno_link_write(&node->link);
}

void uno_gather_greeted(struct uno_coordinator *c, int node) {
    struct uno_far_node *of = &c->node[node];
    uno_offset_begin(&of->offsets.first);
    uno_offset_begin(&of->offsets.last);
    if (!has_timeline(c))
        return;
    of->questions = QUESTIONS;
    ask(of);
}

/* The clock of the node has been measured for the last time, if at all: its records can come. */
static void ask_for_records(struct uno_coordinator *c, int node) {
    struct uno_gather *gather = &c->gather;
    struct uno_calls_clock *clock = &gather->clock[node];
    struct uno_conversion *conversion = &gather->conversion[node];
    *conversion =
        has_timeline(c) ? uno_offset_conversion(&c->node[node].offsets) : (struct uno_conversion){0};
    gather->offset[node] = (struct uno_seats_clock){conversion->ahead, conversion->error};
    clock->ns_began = (int64_t)uno_offset_convert(conversion, (uint64_t)clock->ns_began);
    clock->scale *= 1 + conversion->drift;
    uno_link_put(&c->node[node].link, UNO_FRAME_SEND);
}

bool uno_gather_hear_clock(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    struct uno_far_node *of = &c->node[node];
    uint64_t asked, other, now = uno_kernel_now();
    if (!uno_frame_get(frame, &asked, &other) || asked > now || !has_timeline(c))
        return false;
    uno_offset_take(of->ready ? &of->offsets.last : &of->offsets.first, asked, other, now);
    if (!of->questions) /* the last question before the job was still under way */
        return true;
    if (--of->questions)
        ask(of);
    else if (of->ready)
        ask_for_records(c, node);
    return true;
}

/* ---- what agents send -------------------------------------------------------------------------------- */

bool uno_gather_hear_records(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    struct uno_gather *gather = &c->gather;
    struct uno_far_node *of = &c->node[node];
    const char *clock;
    size_t bytes;
    int32_t full;
    if (!uno_frame_get(frame, &full, &clock, &bytes) || !gather->job || bytes != sizeof *gather->clock ||
        of->ready)
        return false;
    memcpy(&gather->clock[node], clock, bytes);
    if (full) /* as a rank finds it */
        uno_store64_relaxed(&gather->seen.memory->trace.chunks, gather->seen.memory->trace.most + 1);
    gather->over = uno_kernel_now();
    of->ready = true;
    of->questions = QUESTIONS;
    if (has_timeline(c))
        ask(of);
    else
        ask_for_records(c, node);
    return true;
}

/* Return true if PE k is one of this node, which gives its records. */
static bool gives(struct uno_coordinator *c, int node, int k) {
    if (!c->gather.job || k < 0 || k >= c->far->launch->n || c->far->hosts->seat[k] != node)
        return false;
    if (c->ending) /* who sends is not to be given up */
        c->ending = uno_kernel_now();
    return true;
}

bool uno_gather_hear_record(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k, piece;
    uint64_t at;
    const char *data;
    size_t bytes, room;
    if (!uno_frame_get(frame, &k, &piece, &at, &data, &bytes) || !gives(c, node, k) || piece < 0 ||
        piece >= UNO_PIECES)
        return false;
    char *to = uno_piece(piece, c->gather.job, c->gather.seen.memory, k, &room);
    if (at > room || bytes > room - at)
        return false;
    memcpy(to + at, data, bytes);
    return true;
}

bool uno_gather_hear_site(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    int32_t k, site;
    const char *text;
    if (!uno_frame_get(frame, &k, &site, &text) || !gives(c, node, k) || site < 0 || site >= UNO_SEEN_SITES)
        return false;
    char **place = &c->gather.place[(size_t)k * UNO_SEEN_SITES + (size_t)site];
    free(*place);
    *place = strdup(text);
    return true;
}

static void convert(const struct uno_conversion *conversion, struct uno_event *event) {
    if (event->began)
        event->began = uno_offset_convert(conversion, event->began);
    if (event->ended)
        event->ended = uno_offset_convert(conversion, event->ended);
}

/* Count events of a PE that could not be kept. */
static void lose_events(struct uno_gather *gather, int n, bool calls, const void *chunk) {
    const struct uno_seen_event *called = chunk;
    const struct uno_event *done = chunk;
    if (calls && called->rank >= 0 && called->rank < n)
        uno_seen_rank(gather->seen.memory, called->rank)->lost += UNO_SEEN_EVENTS - 1;
    if (calls || done->pe >= (uint32_t)n)
        return;
    uno_atomic64 *dropped = &uno_record(gather->job, (int)done->pe)->dropped;
    uno_store64_relaxed(dropped, uno_load64_relaxed(dropped) + UNO_EVENTS);
}

bool uno_gather_hear_events(struct uno_coordinator *c, int node, const struct uno_frame *frame) {
    static const size_t size[] = {UNO_EVENTS * sizeof(struct uno_event),
                                  UNO_SEEN_EVENTS * sizeof(struct uno_seen_event)};
    static struct uno_event chunk[UNO_EVENTS]; /* or events of calls, which take as much or less */
    struct uno_gather *gather = &c->gather;
    int32_t file;
    const char *data;
    size_t bytes;
    if (!uno_frame_get(frame, &file, &data, &bytes) || !has_timeline(c) || file < 0 || file > 1 ||
        bytes != size[file])
        return false;
    if (c->ending)
        c->ending = uno_kernel_now();
    memcpy(chunk, data, bytes);
    for (int i = 0; !file && i < UNO_EVENTS; i++)
        convert(&gather->conversion[node], &chunk[i]);
    int fd = file ? gather->records.trace.calls : gather->records.trace.events;
    if (pwrite(fd, chunk, bytes, gather->at[file]) == (ssize_t)bytes) {
        gather->at[file] += (off_t)bytes;
        if (!file)
            uno_add32_seq_cst(&gather->job->chunks, 1);
    } else {
        lose_events(gather, c->far->launch->n, file, chunk);
    }
    return true;
}

/* ---- the end ----------------------------------------------------------------------------------------- */

static bool begun(const struct uno_coordinator *c) {
    return c->gather.job && c->told && !c->refused;
}

/* Say of which PEs there are no figures, since their machines are gone. */
static void say_missing(struct uno_coordinator *c) {
    for (int i = 0; i < c->far->hosts->count; i++)
        if (!c->node[i].over)
            uno_say(&c->output, "the figures and the timeline have nothing of the PEs on %s, which is gone",
                    c->far->hosts->name[i]);
}

/* Convert the times in the record of PE k, and begin the job no later than the PE. */
static void convert_record(struct uno_gather *gather, int k) {
    const struct uno_conversion *conversion = &gather->conversion[gather->far.seats.seat[k]];
    struct uno_record *record = uno_record(gather->job, k);
    uint64_t began = uno_load64_relaxed(&record->began), ended = uno_load64_relaxed(&record->ended);
    if (!began)
        return;
    began = uno_offset_convert(conversion, began);
    uno_store64_relaxed(&record->began, began);
    uno_store64_relaxed(&record->ended, uno_offset_convert(conversion, ended));
    for (int i = 0; i < UNO_EVENTS; i++)
        convert(conversion, &record->event[i]);
    if (began < uno_load64_relaxed(&gather->job->started))
        uno_store64_relaxed(&gather->job->started, began);
}

void uno_gather_say(struct uno_coordinator *c) {
    struct uno_gather *gather = &c->gather;
    char *text = NULL;
    size_t length = 0;
    if (!begun(c))
        return;
    for (int k = 0; has_timeline(c) && k < c->far->launch->n; k++)
        convert_record(gather, k);
    gather->records.recorded = (struct uno_recorded){.job = gather->job,
                                                     .calls = uno_calls_sum(&gather->seen, &gather->far),
                                                     .over = gather->over ? gather->over : uno_kernel_now(),
                                                     .seats = &gather->far.seats};
    say_missing(c);
    FILE *f = c->far->launch->stats ? open_memstream(&text, &length) : NULL;
    if (!f)
        return;
    uno_records_table(f, &gather->records);
    if (fclose(f) == 0)
        uno_output_say(&c->output, text, length);
    free(text);
}

bool uno_gather_write(struct uno_coordinator *c, bool (*interrupted)(void *c)) {
    return !begun(c) || uno_records_write(&c->gather.records, interrupted, c);
}

void uno_gather_close(struct uno_coordinator *c) {
    struct uno_gather *gather = &c->gather;
    uno_records_close(&gather->records);
    for (size_t i = 0; gather->place && i < (size_t)c->far->launch->n * UNO_SEEN_SITES; i++)
        free(gather->place[i]);
    free(gather->place);
    free(gather->clock);
    free(gather->conversion);
    free(gather->offset);
    uno_seen_drop(&gather->seen);
    if (gather->job)
        munmap(gather->job, gather->size);
}
