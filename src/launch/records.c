#include "records.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "node.h"
#include "stats.h"
#include "timeline.h"
#include "unit/unit.h"

int uno_records_wanted(const struct uno_launch *launch) {
    if (launch->node)
        return launch->node->observe;
    return (launch->stats || launch->stats_file || launch->show_stats ? UNO_STATS : 0) |
           (launch->trace ? UNO_TRACE : 0);
}

/* Nothing was opened. */
static void refuse(const char *option, const struct uno_aside *aside, const char *what, int error) {
    fprintf(stderr, "unisono run: %s%s: cannot write %s: %s\n", option, aside->path, what,
            uno_aside_text(aside, error));
}

/* In an agent. Its PEs have their share of the events of calls that a timeline may have. */
static bool open_events(struct uno_records *records, const struct uno_launch *launch) {
    if (!(launch->node->observe & UNO_TRACE))
        return true;
    int error = uno_trace_open_events(&records->trace);
    if (error) {
        fprintf(stderr, "unisono run: --trace: cannot write a temporary file in ${TMPDIR:-/tmp}: %s\n",
                strerror(-error));
        return false;
    }
    uno_timeline_ask(launch->seen, records->trace.calls);
    uint64_t pes = (uint64_t)uno_node_pes(launch),
             share = launch->seen->memory->trace.most * pes / (uint64_t)launch->n;
    launch->seen->memory->trace.most = share > pes ? share : pes;
    return true;
}

bool uno_records_open(struct uno_records *records, const struct uno_launch *launch) {
    records->launch = launch;
    if (launch->node)
        return open_events(records, launch);
    int error = launch->stats_file ? -uno_aside_open_any(&records->stats, launch->stats_file) : 0;
    if (error) {
        refuse("--stats=", &records->stats, "this file", error);
        return false;
    }
    const char *what;
    error = launch->trace ? -uno_trace_open(&records->trace, launch->trace, true, &what) : 0;
    if (error)
        refuse("--trace ", &records->trace.timeline, what, error);
    if (!error && launch->trace && launch->seen)
        uno_timeline_ask(launch->seen, records->trace.calls);
    return !error;
}

void uno_records_close(struct uno_records *records) {
    if (records->stats.file >= 0)
        uno_aside_drop(&records->stats);
    if (records->trace.timeline.file >= 0)
        uno_aside_drop(&records->trace.timeline);
    uno_calls_free(records->recorded.calls);
}

void uno_records_sweep(const struct uno_launch *launch, pid_t launcher) {
    if (launch->stats_file)
        uno_aside_sweep(launch->stats_file, launcher);
    if (launch->trace)
        uno_aside_sweep(launch->trace, launcher);
}

/* ---- the end ----------------------------------------------------------------------------------------- */

/* A long conversion, on a terminal. */
struct progress {
    bool (*interrupted)(void *argument);
    void *argument;
    double shown; /* when, in s; 0: never */
    double began;
    int width; /* of the line */
};

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool step(void *argument, double share) {
    static const double LONG = 0.5, STEP = 0.1; /* s */
    struct progress *progress = argument;
    double now = seconds();
    if (now - progress->began > LONG && now - progress->shown > STEP && isatty(STDERR_FILENO)) {
        progress->width =
            fprintf(stderr, "\runisono run: --trace: writing the timeline, %.0f %%", 100 * share);
        progress->shown = now;
    }
    return !progress->interrupted(progress->argument);
}

static bool write_timeline(struct uno_records *records, bool (*interrupted)(void *argument), void *argument) {
    struct progress progress = {.interrupted = interrupted, .argument = argument, .began = seconds()};
    struct uno_trace_result result = uno_trace_write(&records->trace, &records->recorded, step, &progress);
    if (progress.width)
        fprintf(stderr, "\r%*s\r", progress.width, "");
    return uno_trace_tell("unisono run", records->launch->trace, &result);
}

static bool write_file(struct uno_records *records, const json_t *figures) {
    FILE *f = uno_aside_stream(&records->stats);
    bool written = f && json_dumpf(figures, f, UNO_STATS_FORM) == 0 && fputc('\n', f) != EOF;
    written = (!f || fclose(f) == 0) && written;
    int error = written ? -uno_aside_finish(&records->stats, false) : errno;
    if (error)
        fprintf(stderr, "unisono run: --stats=%s: cannot write this file: %s\n", records->launch->stats_file,
                strerror(error));
    return !error;
}

static bool write_figures(struct uno_records *records) {
    const struct uno_launch *launch = records->launch;
    const struct uno_recorded *recorded = &records->recorded;
    json_t *figures = uno_stats_json(recorded);
    if (!figures) {
        fprintf(stderr, "unisono run: --stats: no memory\n");
        return false;
    }
    json_object_set_new(figures, "calls", recorded->calls ? uno_calls_json(recorded->calls) : json_null());
    bool written = records->stats.file < 0 || write_file(records, figures);
    bool shown = !launch->show_stats || launch->show_stats(launch->show_argument, figures);
    json_decref(figures);
    return written && shown;
}

void uno_records_sum(struct uno_records *records, struct uno_job *job, uint64_t over) {
    const struct uno_seen_share *seen = records->launch->seen;
    records->recorded =
        (struct uno_recorded){.job = job, .calls = seen ? uno_calls_sum(seen, NULL) : NULL, .over = over};
}

/* A program of MPI has calls; its operations are those of the library below. One of <papers.h> has both, or,
 * if it only sends messages, calls alone. */
void uno_records_table(FILE *f, const struct uno_records *records) {
    const struct uno_recorded *recorded = &records->recorded;
    bool operations = !recorded->calls || (recorded->calls->pes && uno_stats_any(recorded));
    if (operations)
        uno_stats_table(f, recorded);
    if (recorded->calls)
        uno_calls_table(f, operations ? NULL : "unisono run", recorded->calls);
    if (!operations && records->launch->unit->process)
        uno_stats_unit(f, recorded->job);
}

bool uno_records_write(struct uno_records *records, bool (*interrupted)(void *argument), void *argument) {
    bool wanted = records->stats.file >= 0 || records->launch->show_stats;
    bool figures = !wanted || write_figures(records);
    bool timeline = records->trace.timeline.file < 0 || write_timeline(records, interrupted, argument);
    return figures && timeline;
}
