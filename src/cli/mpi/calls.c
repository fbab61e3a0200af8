#include "calls.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/aside.h"
#include "cli/common/here.h"
#include "failure.h"
#include "launch/calls.h"
#include "launch/exit.h"
#include "launch/stats.h"
#include "launch/timeline.h"
#include "launch/trace.h"
#include "observe/share.h"
#include "start.h"

static struct uno_seen_share share;
static struct aside file;      /* of --stats=FILE */
static struct uno_trace trace; /* of --trace */

/* Return the option that a message names. */
static const char *option(const struct mpi_options *o) {
    return o->stats || o->stats_file ? "--stats" : "--trace";
}

static void open_trace(const char *path) {
    const char *what;
    int error = uno_trace_open(&trace, path, false, &what);
    if (error)
        mpi_reject("--trace %s: cannot write %s: %s", path, what, uno_aside_text(&trace.timeline, -error));
    uno_timeline_ask(&share, trace.calls);
}

void mpi_calls_open(const struct mpi_options *o, enum mpi_build build) {
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "mpi/observed/record-%s.so", mpi_known[build].key);
    here_path(path, sizeof path, UNO_ACCELERATORS, name);
    if (access(path, R_OK))
        mpi_reject("%s: Unisono was built without its MPI library, which takes a python3: there is no %s",
                   option(o), path);
    if (o->stats_file && !aside_open(&file, "unisono mpi: --stats", o->stats_file, 0))
        exit(UNO_EXIT_USAGE);
    int error = uno_seen_make(&share, 0);
    if (error)
        mpi_fail(EXIT_FAILURE, "%s: cannot make the memory for recorded calls: %s", option(o),
                 strerror(-error));
    if (o->trace)
        open_trace(o->trace);
    mpi_set(UNO_SEEN_ENVIRONMENT, share.variable);
    mpi_preload(path);
}

static bool write_file(const char *program, const struct uno_calls *calls) {
    json_t *figures =
        json_pack("{s:s, s:o}", "program", program, "calls", calls ? uno_calls_json(calls) : json_null());
    FILE *f = figures ? uno_aside_stream(&file.as) : NULL;
    bool written = f && json_dumpf(figures, f, UNO_STATS_FORM) == 0 && fputc('\n', f) != EOF;
    if (f && fclose(f))
        written = false;
    json_decref(figures);
    if (written)
        return aside_finish(&file);
    fprintf(stderr, "unisono mpi: cannot write %s: %s\n", file.as.path, strerror(errno));
    aside_drop(&file);
    return false;
}

static bool write_timeline(const struct mpi_options *o, const struct uno_calls *calls) {
    if (!calls) {
        uno_aside_drop(&trace.timeline);
        return true; /* what mpi_calls_close says */
    }
    struct uno_trace_result result = uno_trace_write_calls(&trace, *o->argv, calls);
    return uno_trace_tell("unisono mpi", o->trace, &result);
}

bool mpi_calls_close(const struct mpi_options *o) {
    struct uno_calls *calls = uno_calls_sum(&share, NULL);
    bool written = !o->stats_file || write_file(*o->argv, calls);
    if (o->trace && !write_timeline(o, calls))
        written = false;
    if (o->stats && calls)
        uno_calls_table(stderr, "unisono mpi", calls);
    else if (!calls)
        fprintf(stderr, "unisono mpi: %s: no rank on this machine has recorded a call of MPI\n", option(o));
    uno_calls_free(calls);
    uno_seen_drop(&share);
    return written;
}
