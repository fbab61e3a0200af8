#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(const json_t *object, const char *name) {
    return json_number_value(json_object_get(object, name));
}

static double of_a_rank(const struct compare_run *run, const json_t *object, const char *name) {
    return number(object, name) / run->ranks;
}

/* ---- recorded calls ---------------------------------------------------------------------------------- */

/* Return the rank for which site number `site` waited longest. */
static int mostly_for(const json_t *calls, int site) {
    json_t *waits = json_object_get(calls, "waits"), *wait;
    size_t i;
    json_int_t ranks = json_integer_value(json_object_get(calls, "ranks"));
    double *waited = calloc((size_t)ranks, sizeof *waited), most = 0;
    int rank = -1;
    json_array_foreach(waits, i, wait) {
        json_int_t k = json_integer_value(json_object_get(wait, "for_rank"));
        if (!waited || json_integer_value(json_object_get(wait, "site")) != site || k < 0 || k >= ranks)
            continue;
        waited[k] += number(wait, "seconds");
        if (waited[k] > most) {
            most = waited[k];
            rank = (int)k;
        }
    }
    free(waited);
    return rank;
}

/* Return how long the rank ran that ran longest. */
static double longest(const json_t *calls) {
    json_t *ranks = json_object_get(calls, "rank"), *rank;
    size_t i;
    double most = 0;
    json_array_foreach(ranks, i, rank) most = number(rank, "seconds") > most ? number(rank, "seconds") : most;
    return most;
}

/* Return true if the calls have what rows are made of. */
static bool read_calls(struct compare_run *run, const json_t *calls) {
    json_t *sites = json_object_get(calls, "sites"), *site;
    size_t i;
    run->placed = true;
    const char *member = json_string_value(json_object_get(calls, "member"));
    run->member = member ? member : "rank"; /* the file is older than this field */
    run->ranks = (int)json_integer_value(json_object_get(calls, "ranks"));
    if (!json_is_array(sites) || run->ranks < 1)
        return false;
    if (run->seconds <= 0) /* of `unisono mpi`, which does not start the job */
        run->seconds = longest(calls);
    double seconds = of_a_rank(run, calls, "seconds");
    run->inside = of_a_rank(run, calls, "inside_seconds");
    run->outside = seconds > run->inside ? seconds - run->inside : 0;
    run->waited = of_a_rank(run, calls, "waited_seconds");
    run->row = calloc(json_array_size(sites) + 1, sizeof *run->row);
    json_array_foreach(sites, i, site) {
        struct compare_row row = {
            .function = json_string_value(json_object_get(site, "function")),
            .place = json_string_value(json_object_get(site, "place")),
            .calls = json_integer_value(json_object_get(site, "calls")),
            .bytes = json_integer_value(json_object_get(site, "bytes")),
            .seconds = of_a_rank(run, site, "seconds"),
            .waited = of_a_rank(run, site, "waited_seconds"),
            .mostly_for = mostly_for(calls, (int)i),
        };
        if (!run->row || !row.function || !row.place)
            return false;
        run->row[run->rows++] = row;
    }
    return true;
}

/* ---- a program of <papers.h> ------------------------------------------------------------------------- */

static bool read_operations(struct compare_run *run) {
    json_t *operations = json_object_get(run->figures, "operations"), *operation, *pe;
    size_t i;
    double ran = 0;
    run->member = "PE";
    run->ranks = (int)json_integer_value(json_object_get(run->figures, "pes"));
    if (run->ranks < 1 || !json_is_array(operations) || !json_is_array(json_object_get(run->figures, "pe")))
        return false;
    json_array_foreach(json_object_get(run->figures, "pe"), i, pe) ran += of_a_rank(run, pe, "run_seconds");
    run->inside = run->waited = of_a_rank(run, json_object_get(run->figures, "all"), "seconds");
    run->outside = ran > run->inside ? ran - run->inside : 0;
    run->row = calloc(json_array_size(operations) + 1, sizeof *run->row);
    json_array_foreach(operations, i, operation) {
        struct compare_row row = {.function = json_string_value(json_object_get(operation, "name")),
                                  .calls = json_integer_value(json_object_get(operation, "count")),
                                  .seconds = of_a_rank(run, operation, "seconds"),
                                  .mostly_for = -1};
        if (!run->row || !row.function)
            return false;
        row.waited = row.seconds;
        run->row[run->rows++] = row;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------ */

static bool refuse(struct compare_run *run, const char *why) {
    fprintf(stderr, "unisono compare: %s: %s\n", run->path, why);
    compare_free(run);
    return false;
}

bool compare_read(struct compare_run *run, const char *path) {
    static const char NOT_OURS[] = "this is no file of --stats=FILE";
    json_error_t error;
    *run = (struct compare_run){.path = path};
    run->figures = json_load_file(path, 0, &error);
    if (!run->figures && json_error_code(&error) == json_error_cannot_open_file)
        return refuse(run, strchr(error.text, ':') ? strrchr(error.text, ':') + 2 : error.text);
    if (!run->figures) {
        char why[JSON_ERROR_TEXT_LENGTH + 128];
        snprintf(why, sizeof why, "%s, nor JSON at all: line %d: %s", NOT_OURS, error.line, error.text);
        return refuse(run, why);
    }
    run->program = json_string_value(json_object_get(run->figures, "program"));
    run->seconds = number(run->figures, "seconds");
    if (!run->program)
        return refuse(run, NOT_OURS);
    const json_t *calls = json_object_get(run->figures, "calls");
    if (json_is_object(calls) ? !read_calls(run, calls) : !read_operations(run))
        return refuse(run, NOT_OURS);
    if (!run->rows)
        return refuse(run, "this run has neither a call of MPI nor an operation of <papers.h>: there is "
                           "nothing to compare");
    return true;
}

double compare_outside(const struct compare_run *run, int k) {
    const json_t *calls = json_object_get(run->figures, "calls");
    const json_t *ranks = json_object_get(run->placed ? calls : run->figures, run->placed ? "rank" : "pe");
    const json_t *rank = json_array_get(ranks, (size_t)k);
    double ran = number(rank, run->placed ? "seconds" : "run_seconds");
    return ran - number(rank, run->placed ? "inside_seconds" : "waiting_seconds");
}

void compare_free(struct compare_run *run) {
    json_decref(run->figures);
    free(run->row);
    run->figures = NULL;
    run->row = NULL;
    run->rows = 0;
}
