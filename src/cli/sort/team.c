#include "team.h"

#include <papers.h>
#include <stdio.h>

#include "engine/kernel.h"
#include "engine/bytes.h"

enum { AT_ONCE = 8 << 20 };

bool sort_team_failed(struct sort_team *team, const char *path, const char *what, int error) {
    int me = p_iproc();
    if (error) {
        team->failed[me].path = path;
        team->failed[me].what = what;
        team->failed[me].error = error;
    }
    return error;
}

/* Say what failed, of the first PE at which something did. */
static void complain(const struct sort_team *team) {
    for (int k = 0; k < team->request->n; k++)
        if (team->failed[k].error) {
            fprintf(stderr, "unisono sort: %s: %s: %s\n", team->failed[k].path, team->failed[k].what,
                    sort_error(team->failed[k].error));
            return;
        }
}

/* This PE's part of n records, in bytes. */
static void part(const struct sort_team *team, uint64_t n, uint64_t *begin, uint64_t *end) {
    *begin = uno_sort_part(n, p_iproc(), team->request->n) * team->request->record;
    *end = uno_sort_part(n, p_iproc() + 1, team->request->n) * team->request->record;
}

/* Read n records to `to`, each PE its part. Return true if every PE could. */
static bool read_part(struct sort_team *team, const struct sort_place *place, char *to, uint64_t n) {
    uint64_t at, end;
    int error = 0;
    part(team, n, &at, &end);
    for (uint64_t bytes; at < end && !error; at += bytes) {
        bytes = end - at < AT_ONCE ? end - at : AT_ONCE;
        uint64_t left = end - at - bytes;
        sort_read_ahead(place->file, left < AT_ONCE ? left : AT_ONCE, place->at + at + bytes);
        error = sort_read(place->file, to + at, bytes, place->at + at);
        sort_progress_done(&team->progress, bytes);
    }
    return !p_any(sort_team_failed(team, place->path, "cannot read it", error));
}

/* Let the system read the first bytes of this PE's part of the records behind the run's. */
static void read_ahead(const struct sort_team *team, const struct sort_run *run) {
    uint64_t at, end;
    part(team, run->next, &at, &end);
    at += run->in.at + run->n * team->request->record;
    sort_read_ahead(run->in.file, end - at < run->ahead ? end - at : run->ahead, at);
}

static const char *sort_all(struct sort_team *team, uint64_t n) {
    int me = p_iproc();
    struct uno_sort sort = team->sort;
    struct uno_sort_crew crew = {.pes = team->request->n, .me = me, .wait = p_wait};
    struct uno_sort_times times;
    sort.n = n;
    const char *sorted = uno_sort(&sort, &crew, team->own + (size_t)me * sort.own_bytes, &times);
    for (int phase = 0; phase < UNO_SORT_PHASES; phase++)
        team->times[me].ns[phase] += times.ns[phase];
    return sorted;
}

/* As read_part(), the other way. */
static bool write_part(struct sort_team *team, const struct sort_place *place, const char *from, uint64_t n) {
    uint64_t at, end;
    int error = 0;
    part(team, n, &at, &end);
    for (uint64_t bytes; at < end && !error; at += bytes) {
        bytes = end - at < AT_ONCE ? end - at : AT_ONCE;
        error = -uno_file_put(place->file, from + at, bytes, place->at + at);
        sort_progress_done(&team->progress, bytes);
    }
    return !p_any(sort_team_failed(team, place->path, "cannot write it", error));
}

bool sort_team_run(struct sort_team *team, const struct sort_run *run) {
    uint64_t t0 = uno_kernel_now();
    if (!read_part(team, &run->in, team->sort.from, run->n))
        return false;
    uint64_t t1 = uno_kernel_now();
    read_ahead(team, run);
    const char *sorted = sort_all(team, run->n);
    uint64_t t2 = uno_kernel_now();
    if (!write_part(team, &run->out, sorted, run->n))
        return false;
    if (p_iproc() == 0) {
        team->read = t1 - t0;
        team->sorted = t2 - t1;
        team->written = uno_kernel_now() - t2;
    }
    return true;
}

bool sort_team_go(struct sort_team *team, uint64_t work, int (*body)(void *argument), void *argument) {
    sort_progress_begin(&team->progress, work);
    int trouble = p_team(team->request->n, body, argument);
    sort_progress_end(&team->progress);
    if (trouble)
        complain(team);
    return !trouble;
}

static int run_all(void *argument) {
    struct sort_team *team = argument;
    struct sort_run run = {.n = team->records.n,
                           .in = {team->records.path, team->records.file, 0},
                           .out = {team->output.as.path, team->output.as.file, 0}};
    return !sort_team_run(team, &run);
}

bool sort_in_memory(struct sort_team *team) {
    return sort_team_go(team, 3 * team->records.n * team->records.record, run_all, team);
}
