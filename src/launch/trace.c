/* One track for each PE, named "PE 3". It has one event for the PE's run, from check-in to its end, and
 * within it one event for each operation. The job is a process of the timeline; on several machines each node
 * is one, whose tracks are those of its PEs. */

#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"
#include "engine/group.h"
#include "engine/observe.h"
#include "timeline.h"

enum {
    NAMES = 256, /* signatures and groups whose texts are kept: powers of two */
    GROUPS = 256,
};

struct writer {
    FILE *f;
    struct uno_job *job;
    const struct uno_calls *calls;
    const struct uno_seats *seats;
    int *process, *thread; /* the track of each PE */
    uint64_t all;          /* the value that stands for the group of all PEs in an event */
    struct {
        unsigned signature;
        char text[UNO_SIGNATURE_TEXT];
    } name[NAMES];
    struct {
        uint64_t id;
        char text[UNO_MASK_TEXT];
    } group[GROUPS];
    uint64_t expected;
    uint64_t *chunks; /* of each PE, that are still to come */
    struct uno_event *chunk;
    bool (*step)(void *argument, double share);
    void *argument;
    struct uno_trace_result result;
};

/* ---- files ------------------------------------------------------------------------------------------- */

/* Open a file without a name in the folder. Returns a descriptor or -errno. */
static int unnamed(int folder) {
    int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    char path[64]; /* not every file system can do that */
    snprintf(path, sizeof path, "/proc/self/fd/%d/.unisono-XXXXXX", folder);
    fd = mkostemp(path, O_CLOEXEC);
    int error = errno;
    if (fd >= 0)
        unlink(path);
    return fd < 0 ? -error : fd;
}

int uno_trace_open(struct uno_trace *trace, const char *path, bool operations, const char **what) {
    *what = "this file";
    int error = uno_aside_open_any(&trace->timeline, path);
    if (error)
        return error;
    *what = "a temporary file in its folder";
    trace->events = -1;
    trace->calls = error = unnamed(trace->timeline.folder);
    if (trace->calls >= 0 && operations)
        trace->events = error = unnamed(trace->timeline.folder);
    if (error >= 0)
        return 0;
    if (trace->calls >= 0)
        close(trace->calls);
    uno_aside_drop(&trace->timeline);
    return error;
}

int uno_trace_open_events(struct uno_trace *trace) {
    const char *path = getenv("TMPDIR");
    int folder = open(path && *path ? path : "/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -errno;
    trace->calls = unnamed(folder);
    trace->events = unnamed(folder);
    close(folder);
    return trace->calls < 0 ? trace->calls : trace->events < 0 ? trace->events : 0;
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static const char *name_of(struct writer *w, unsigned signature) {
    size_t i = (signature ^ signature >> 6) % NAMES;
    if (w->name[i].signature != signature) {
        w->name[i].signature = signature;
        uno_signature_text(signature, w->name[i].text);
    }
    return w->name[i].text;
}

static const char *group_of(struct writer *w, uint64_t id) {
    size_t i = (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) % GROUPS;
    if (w->group[i].id == id)
        return w->group[i].text;
    w->group[i].id = id;
    if (w->job->words == 1)
        return uno_mask_text(&id, 1, w->group[i].text);
    /* the event of a wide group has only a hash of it */
    if (id == w->all)
        snprintf(w->group[i].text, UNO_MASK_TEXT, "{0-%d}", w->job->n - 1);
    else
        snprintf(w->group[i].text, UNO_MASK_TEXT, "#%016llx", (unsigned long long)id);
    return w->group[i].text;
}

/* Write "ts" and "dur", in us, of ns since the timeline has begun. */
static void write_time(FILE *f, unsigned long long at, unsigned long long lasts) {
    fprintf(f, "\"ts\":%llu.%03llu,\"dur\":%llu.%03llu", at / 1000, at % 1000, lasts / 1000, lasts % 1000);
}

static void write_event(struct writer *w, int k, const struct uno_event *event, bool unfinished) {
    fprintf(w->f, ",\n{\"name\":\"%s\",\"cat\":\"operation\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,",
            name_of(w, event->signature), w->process[k], w->thread[k]);
    write_time(w->f, event->began - uno_load64_relaxed(&w->job->started), event->ended - event->began);
    fprintf(w->f, ",\"args\":{\"group\":\"%s\",\"last\":%d%s}}", group_of(w, event->group), event->last,
            unfinished ? ",\"unfinished\":true" : "");
    w->result.written++;
}

/* Write the name of a track, its place, and the run of its PE or rank. */
static void write_track(FILE *f, int process, int thread, const char *member, int k, uint64_t at,
                        uint64_t lasts) {
    fprintf(f,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"%s %d\"}}"
            ",\n{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,"
            "\"args\":{\"sort_index\":%d}}",
            process, thread, member, k, process, thread, k);
    fprintf(f, ",\n{\"name\":\"run\",\"cat\":\"run\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,", process, thread);
    write_time(f, at, lasts);
    fprintf(f, ",\"args\":{\"pe\":%d}}", k);
}

/* Begin the file, up to its first event. seats: NULL: the job was on one machine. */
static void write_head(FILE *f, const struct uno_seats *seats) {
    fprintf(f, "{\"displayTimeUnit\":\"ns\",");
    for (int i = 0; seats && i < seats->count; i++) {
        fprintf(f, "%s{\"node\":", i ? "," : "\"otherData\":{\"clocks\":[");
        uno_timeline_text(f, seats->name[i]);
        if (seats->clock[i].error == UINT64_MAX)
            fprintf(f, ",\"ahead_us\":null,\"error_us\":null}");
        else
            fprintf(f, ",\"ahead_us\":%.3f,\"error_us\":%.3f}", (double)seats->clock[i].ahead / 1e3,
                    (double)seats->clock[i].error / 1e3);
    }
    fprintf(f, "%s\"traceEvents\":[\n", seats ? "]}," : "");
}

/* Write the name of a process: the program, and its node. */
static void write_process(FILE *f, int process, const char *program, const char *node) {
    fprintf(f, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":", process,
            process);
    char *text = NULL;
    bool both = node && asprintf(&text, "%s: %s", node, program) >= 0;
    uno_timeline_text(f, both ? text : program);
    if (both)
        free(text);
    fprintf(f, "}}");
}

/* Write the processes of the nodes, in their order, each with the error of its clock. */
static void write_nodes(struct writer *w) {
    for (int i = 0; i < w->seats->count; i++) {
        int process = i + 1;
        fputs(i ? ",\n" : "", w->f);
        write_process(w->f, process, w->job->program, w->seats->name[i]);
        fprintf(w->f,
                ",\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,"
                "\"args\":{\"sort_index\":%d}}",
                process, process, i);
        if (w->seats->clock[i].error != UINT64_MAX)
            fprintf(w->f,
                    ",\n{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,"
                    "\"args\":{\"labels\":\"its clock: within %.1f us\"}}",
                    process, process, (double)w->seats->clock[i].error / 1e3);
    }
}

static void write_tracks(struct writer *w) {
    write_head(w->f, w->seats);
    if (w->seats)
        write_nodes(w);
    else
        write_process(w->f, w->job->launcher, w->job->program, NULL);
    for (int k = 0; k < w->job->n; k++) {
        const struct uno_record *record = uno_record(w->job, k);
        uint64_t began = uno_load64_relaxed(&record->began);
        if (began) /* it has checked in */
            write_track(w->f, w->process[k], w->thread[k], w->calls && !w->calls->pes ? "rank" : "PE", k,
                        began - uno_load64_relaxed(&w->job->started),
                        uno_load64_relaxed(&record->ended) - began);
    }
}

/* ---- the events -------------------------------------------------------------------------------------- */

static bool go_on(struct writer *w) {
    double share = w->expected ? (double)w->result.written / (double)w->expected : 1;
    if (ferror(w->f) && !w->result.error)
        w->result.error = errno;
    w->result.stopped = !w->step(w->argument, share);
    return !w->result.stopped && !w->result.error;
}

/* Return true if the chunk was written completely. A PE may have been killed, or the disk have been full, in
 * the midst of it; and if the PE has not counted the chunk, its events are still in its record. */
static bool is_whole(struct writer *w, const struct uno_event *chunk) {
    const struct uno_event *last = &chunk[UNO_EVENTS - 1];
    return last->began && last->pe < (uint32_t)w->job->n && chunk->pe == last->pe && w->chunks[last->pe];
}

static bool write_chunks(struct writer *w, int fd) {
    size_t size = UNO_EVENTS * sizeof *w->chunk;
    struct stat st;
    off_t count = fstat(fd, &st) ? 0 : st.st_size / (off_t)size + 1; /* the last one may be cut short */
    if (count > (off_t)uno_load32_relaxed(&w->job->chunks))
        count = uno_load32_relaxed(&w->job->chunks);
    for (off_t i = 0; i < count; i++) {
        memset(w->chunk, 0, size);
        if (pread(fd, w->chunk, size, i * (off_t)size) < 0) {
            w->result.error = errno;
            return false;
        }
        if (!is_whole(w, w->chunk))
            continue;
        w->chunks[w->chunk->pe]--;
        for (int e = 0; e < UNO_EVENTS; e++)
            write_event(w, (int)w->chunk->pe, &w->chunk[e], false);
        if (!go_on(w))
            return false;
    }
    return true;
}

/* Write the events that are still in the records. */
static void write_rest(struct writer *w) {
    for (int k = 0; k < w->job->n && go_on(w); k++) {
        struct uno_record *record = uno_record(w->job, k);
        uint64_t rest = uno_load64_relaxed(&record->events) % UNO_EVENTS;
        for (uint64_t e = 0; e < rest; e++)
            write_event(w, k, &record->event[e], false);
        if (uno_load64_relaxed(&record->unfinished))
            write_event(w, k, &record->event[rest], true);
    }
}

static bool prepare(struct writer *w) {
    struct uno_pe *any = calloc(1, sizeof *any);
    w->chunks = calloc((size_t)w->job->n, sizeof *w->chunks);
    w->process = calloc((size_t)w->job->n, sizeof *w->process);
    w->thread = calloc((size_t)w->job->n, sizeof *w->thread);
    w->chunk = malloc(UNO_EVENTS * sizeof *w->chunk);
    if (!any || !w->chunks || !w->chunk || !w->process || !w->thread) {
        free(any);
        return false;
    }
    any->job = w->job;
    any->n = w->job->n;
    uno_group_all(any);
    w->all = any->group.id;
    free(any);
    for (int k = 0; k < w->job->n; k++) {
        const struct uno_record *record = uno_record(w->job, k);
        uint64_t dropped = uno_load64_relaxed(&record->dropped);
        uint64_t kept = uno_load64_relaxed(&record->events) - dropped;
        w->process[k] = w->seats ? w->seats->seat[k] + 1 : w->job->launcher;
        w->thread[k] = w->job->board[k].pid;
        w->chunks[k] = kept / UNO_EVENTS;
        w->expected += kept;
        w->result.dropped += dropped;
    }
    return true;
}

/* Write the recorded calls, in the tracks of their PEs. */
static void write_calls(struct writer *w, int file) {
    struct uno_timeline timeline = {.process = w->process,
                                    .thread = w->thread,
                                    .began = uno_load64_relaxed(&w->job->started),
                                    .step = w->step,
                                    .argument = w->argument};
    int error = uno_timeline_write(w->f, &timeline, w->calls, file);
    w->result.error = w->result.error ? w->result.error : error;
    w->result.written += timeline.written;
    w->result.dropped += timeline.lost;
    w->result.full = timeline.full;
    w->result.stopped = timeline.stopped;
}

static struct uno_trace_result write_all(FILE *f, const struct uno_trace *trace,
                                         const struct uno_recorded *recorded,
                                         bool (*step)(void *argument, double share), void *argument) {
    struct uno_trace_result result = {.error = ENOMEM};
    struct writer *w = calloc(1, sizeof *w);
    if (!w)
        return result;
    *w = (struct writer){.f = f,
                         .job = recorded->job,
                         .calls = recorded->calls,
                         .seats = recorded->seats,
                         .step = step,
                         .argument = argument};
    if (prepare(w)) {
        write_tracks(w);
        if (write_chunks(w, trace->events))
            write_rest(w);
        if (w->calls && !w->result.stopped)
            write_calls(w, trace->calls);
        fprintf(w->f, "\n]}\n");
    } else {
        w->result.error = ENOMEM;
    }
    free(w->chunks);
    free(w->chunk);
    free(w->process);
    free(w->thread);
    result = w->result;
    free(w);
    return result;
}

/* Close all files; if `f` could not be opened, errno says why. */
static void finish(struct uno_trace *trace, FILE *f, struct uno_trace_result *result) {
    if (!f)
        result->error = errno;
    bool failed = f && ferror(f);
    if (f && (fclose(f) || failed) && !result->error)
        result->error = errno;
    if (trace->events >= 0)
        close(trace->events);
    close(trace->calls);
    if (result->error)
        uno_aside_drop(&trace->timeline);
    else
        result->error = -uno_aside_finish(&trace->timeline, false);
}

struct uno_trace_result uno_trace_write(struct uno_trace *trace, const struct uno_recorded *recorded,
                                        bool (*step)(void *argument, double share), void *argument) {
    struct uno_trace_result result = {0};
    FILE *f = uno_aside_stream(&trace->timeline);
    if (f)
        result = write_all(f, trace, recorded, step, argument);
    finish(trace, f, &result);
    return result;
}

/* ---- calls alone --------------------------------------------------------------------------------------- */

static bool go_on_always(void *argument, double share) {
    (void)argument, (void)share;
    return true;
}

static struct uno_trace_result write_calls_alone(FILE *f, int file, const char *program,
                                                 const struct uno_calls *calls) {
    int *process = calloc((size_t)calls->n, sizeof *process),
        *thread = calloc((size_t)calls->n, sizeof *thread);
    struct uno_timeline timeline = {
        .process = process, .thread = thread, .began = calls->memory->ns_began, .step = go_on_always};
    if (!process || !thread) {
        free(process);
        free(thread);
        return (struct uno_trace_result){.error = ENOMEM};
    }
    write_head(f, NULL);
    write_process(f, getpid(), program, NULL);
    for (int k = 0; k < calls->n; k++) {
        const struct uno_seen_rank *rank = uno_seen_rank(calls->memory, k);
        uint64_t began = uno_load64_relaxed(&rank->began);
        process[k] = getpid();
        thread[k] = (int)uno_load64_relaxed(&rank->pid);
        if (calls->rank[k].recorded)
            write_track(f, process[k], thread[k], "rank", k,
                        (uint64_t)((double)(began - calls->clock[k].ticks_began) * calls->clock[k].scale),
                        (uint64_t)calls->rank[k].ran);
    }
    int error = uno_timeline_write(f, &timeline, calls, file);
    fprintf(f, "\n]}\n");
    free(process);
    free(thread);
    return (struct uno_trace_result){
        .written = timeline.written, .dropped = timeline.lost, .full = timeline.full, .error = error};
}

struct uno_trace_result uno_trace_write_calls(struct uno_trace *trace, const char *program,
                                              const struct uno_calls *calls) {
    struct uno_trace_result result = {0};
    FILE *f = uno_aside_stream(&trace->timeline);
    if (f)
        result = write_calls_alone(f, trace->calls, program, calls);
    finish(trace, f, &result);
    return result;
}

bool uno_trace_tell(const char *teller, const char *path, const struct uno_trace_result *result) {
    unsigned long long written = result->written;
    if (result->error)
        fprintf(stderr, "%s: --trace %s: cannot write it: %s\n", teller, path, strerror(result->error));
    if (result->stopped)
        fprintf(stderr, "%s: --trace %s: stopped by a signal after %llu operations and calls\n", teller, path,
                written);
    if (result->dropped)
        fprintf(stderr,
                "%s: --trace %s: %llu operations or calls are missing; a PE could not write them to a "
                "temporary file in the same folder\n",
                teller, path, (unsigned long long)result->dropped);
    if (result->full)
        fprintf(stderr,
                "%s: --trace %s: it is full: it has %llu operations and calls, and those of a later time are "
                "not in it\n",
                teller, path, written);
    return !result->error && !result->stopped && !result->dropped;
}
