#include "records.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "stats.h"
#include "timeline.h"

int uno_records_wanted(const struct uno_launch *launch) {
    return (launch->stats || launch->stats_file || launch->show_stats ? UNO_STATS : 0) |
           (launch->trace ? UNO_TRACE : 0);
}

/* Nothing was opened. */
static void refuse(const char *option, const struct uno_aside *aside, const char *what, int error) {
    fprintf(stderr, "unisono run: %s%s: cannot write %s: %s\n", option, aside->path, what,
            uno_aside_text(aside, error));
}

bool uno_records_open(struct uno_run *run) {
    const struct uno_launch *launch = run->launch;
    run->spawn.trace = run->trace.events = run->trace.calls = -1;
    int error = launch->stats_file ? -uno_aside_open_any(&run->stats, launch->stats_file) : 0;
    if (error) {
        refuse("--stats=", &run->stats, "this file", error);
        return false;
    }
    const char *what;
    error = launch->trace ? -uno_trace_open(&run->trace, launch->trace, true, &what) : 0;
    if (error)
        refuse("--trace ", &run->trace.timeline, what, error);
    run->spawn.trace = run->trace.events;
    if (!error && launch->trace && launch->seen)
        uno_timeline_ask(launch->seen, run->trace.calls);
    return !error;
}

void uno_records_drop(struct uno_run *run) {
    if (run->stats.file >= 0)
        uno_aside_drop(&run->stats);
    if (run->trace.timeline.file >= 0)
        uno_aside_drop(&run->trace.timeline);
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
    struct uno_run *run;
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
    return !uno_watch_interrupted(progress->run);
}

static bool write_timeline(struct uno_run *run) {
    struct progress progress = {.run = run, .began = seconds()};
    struct uno_trace_result result = uno_trace_write(&run->trace, run->job, run->calls, step, &progress);
    if (progress.width)
        fprintf(stderr, "\r%*s\r", progress.width, "");
    return uno_trace_tell("unisono run", run->launch->trace, &result);
}

static bool write_file(struct uno_run *run, const json_t *figures) {
    FILE *f = uno_aside_stream(&run->stats);
    bool written = f && json_dumpf(figures, f, UNO_STATS_FORM) == 0 && fputc('\n', f) != EOF;
    written = (!f || fclose(f) == 0) && written;
    int error = written ? -uno_aside_finish(&run->stats, false) : errno;
    if (error)
        fprintf(stderr, "unisono run: --stats=%s: cannot write this file: %s\n", run->launch->stats_file,
                strerror(error));
    return !error;
}

static bool write_figures(struct uno_run *run) {
    const struct uno_launch *launch = run->launch;
    json_t *figures = uno_stats_json(run->job, run->calls, run->over);
    if (!figures) {
        fprintf(stderr, "unisono run: --stats: no memory\n");
        return false;
    }
    json_object_set_new(figures, "calls", run->calls ? uno_calls_json(run->calls) : json_null());
    bool written = run->stats.file < 0 || write_file(run, figures);
    bool shown = !launch->show_stats || launch->show_stats(launch->show_argument, figures);
    json_decref(figures);
    return written && shown;
}

bool uno_records_write(struct uno_run *run) {
    bool wanted = run->stats.file >= 0 || run->launch->show_stats;
    bool figures = !wanted || write_figures(run);
    bool timeline = run->trace.timeline.file < 0 || write_timeline(run);
    return figures && timeline;
}
