/* One track for each PE, named "PE 3". It has one event for the PE's run, from check-in to its end, and
 * within it one event for each operation. */

#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/group.h"
#include "engine/observe.h"

enum {
    NAMES = 256, /* signatures and groups whose texts are kept: powers of two */
    GROUPS = 256,
};

struct writer {
    FILE *f;
    struct uno_job *job;
    uint64_t all; /* the value that stands for the group of all PEs in an event */
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

int uno_trace_open(struct uno_trace *trace, const char *path, const char **what) {
    *what = "this file";
    int error = uno_aside_open_any(&trace->timeline, path);
    if (error)
        return error;
    *what = "a temporary file in its folder";
    trace->events = unnamed(trace->timeline.folder);
    if (trace->events < 0)
        uno_aside_drop(&trace->timeline);
    return trace->events < 0 ? trace->events : 0;
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

/* Write "ts" and "dur", in us. */
static void write_time(struct writer *w, uint64_t began, uint64_t ended) {
    unsigned long long at = began - uno_load64_relaxed(&w->job->started), lasts = ended - began;
    fprintf(w->f, "\"ts\":%llu.%03llu,\"dur\":%llu.%03llu", at / 1000, at % 1000, lasts / 1000, lasts % 1000);
}

static void write_event(struct writer *w, int k, const struct uno_event *event, bool unfinished) {
    fprintf(w->f, ",\n{\"name\":\"%s\",\"cat\":\"operation\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,",
            name_of(w, event->signature), w->job->launcher, w->job->board[k].pid);
    write_time(w, event->began, event->ended);
    fprintf(w->f, ",\"args\":{\"group\":\"%s\",\"last\":%d%s}}", group_of(w, event->group), event->last,
            unfinished ? ",\"unfinished\":true" : "");
    w->result.written++;
}

/* Write the name of the track, its place, and the run of the PE. */
static void write_track(struct writer *w, int k) {
    const struct uno_record *record = uno_record(w->job, k);
    int process = w->job->launcher, thread = w->job->board[k].pid;
    uint64_t began = uno_load64_relaxed(&record->began);
    if (!began)
        return; /* it has not checked in */
    fprintf(w->f,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"PE %d\"}}"
            ",\n{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,"
            "\"args\":{\"sort_index\":%d}}",
            process, thread, k, process, thread, k);
    fprintf(w->f, ",\n{\"name\":\"run\",\"cat\":\"run\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,", process,
            thread);
    write_time(w, began, uno_load64_relaxed(&record->ended));
    fprintf(w->f, ",\"args\":{\"pe\":%d}}", k);
}

static void write_head(struct writer *w) {
    fprintf(w->f,
            "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
            "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"",
            w->job->launcher, w->job->launcher);
    for (const char *c = w->job->program; *c; c++)
        fprintf(w->f, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fprintf(w->f, "\"}}");
    for (int k = 0; k < w->job->n; k++)
        write_track(w, k);
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
    w->chunk = malloc(UNO_EVENTS * sizeof *w->chunk);
    if (!any || !w->chunks || !w->chunk) {
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
        w->chunks[k] = kept / UNO_EVENTS;
        w->expected += kept;
        w->result.dropped += dropped;
    }
    return true;
}

static struct uno_trace_result write_all(FILE *f, int events, struct uno_job *job,
                                         bool (*step)(void *argument, double share), void *argument) {
    struct uno_trace_result result = {.error = ENOMEM};
    struct writer *w = calloc(1, sizeof *w);
    if (!w)
        return result;
    *w = (struct writer){.f = f, .job = job, .step = step, .argument = argument};
    if (prepare(w)) {
        write_head(w);
        if (write_chunks(w, events))
            write_rest(w);
        fprintf(w->f, "\n]}\n");
    } else {
        w->result.error = ENOMEM;
    }
    free(w->chunks);
    free(w->chunk);
    result = w->result;
    free(w);
    return result;
}

struct uno_trace_result uno_trace_write(struct uno_trace *trace, struct uno_job *job,
                                        bool (*step)(void *argument, double share), void *argument) {
    struct uno_trace_result result = {0};
    FILE *f = uno_aside_stream(&trace->timeline);
    if (f) {
        result = write_all(f, trace->events, job, step, argument);
        bool failed = ferror(f);
        if ((fclose(f) || failed) && !result.error)
            result.error = errno;
    } else {
        result.error = errno;
    }
    close(trace->events);
    if (result.error)
        uno_aside_drop(&trace->timeline);
    else
        result.error = -uno_aside_finish(&trace->timeline, false);
    return result;
}
