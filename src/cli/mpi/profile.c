#include "profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char problem[JSON_ERROR_TEXT_LENGTH + 100];

static bool read_row(json_t *json, bool message, struct mpi_row *row) {
    json_error_t error;
    int failed = message ? json_unpack_ex(json, &error, 0, "{s:s, s:s, s:F, s:F, s:F}", "name", &row->name,
                                          "type", &row->type, "bytes", &row->bytes, "calls", &row->calls,
                                          "seconds", &row->seconds)
                         : json_unpack_ex(json, &error, 0, "{s:s, s:s, s:F, s:i, s:F, s:F, s:F, s:F}", "name",
                                          &row->name, "type", &row->type, "bytes", &row->bytes, "ranks",
                                          &row->ranks, "operations", &row->operations, "accelerated",
                                          &row->accelerated, "calls", &row->calls, "seconds", &row->seconds);
    if (failed)
        snprintf(problem, sizeof problem, "%s: %s", message ? "point_to_point" : "collectives", error.text);
    row->saved = NAN;
    if (message)
        row->operations = row->calls;
    return !failed;
}

static struct mpi_row *read_rows(json_t *array, bool message, size_t *count) {
    *count = json_array_size(array);
    struct mpi_row *row = calloc(*count + 1, sizeof *row);
    for (size_t i = 0; row && i < *count; i++)
        if (!read_row(json_array_get(array, i), message, &row[i])) {
            free(row);
            return NULL;
        }
    return row;
}

static bool read_ranks(json_t *array, struct mpi_profile *p) {
    size_t i;
    json_t *rank;
    json_array_foreach(array, i, rank) {
        double seconds, inside;
        if (json_unpack(rank, "{s:F, s:F}", "seconds", &seconds, "inside", &inside)) {
            snprintf(problem, sizeof problem, "rank: seconds or inside is missing");
            return false;
        }
        p->seconds += seconds;
        p->inside += inside;
    }
    return true;
}

static bool read_all(struct mpi_profile *p) {
    json_error_t error;
    json_t *ranks, *collectives, *messages, *off, *check;
    const char *build;
    int pretended;
    p->compared = -1;
    if (json_unpack_ex(p->json, &error, 0, "{s:s, s:s, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:o}", "library",
                       &p->library, "build", &build, "ranks", &p->ranks, "nodes", &p->nodes,
                       "pretended_nodes", &pretended, "off", &off, "check", &check, "rank", &ranks,
                       "collectives", &collectives, "point_to_point", &messages) ||
        (json_is_object(check) && json_unpack_ex(check, &error, 0, "{s:F, s:F}", "compared", &p->compared,
                                                 "different", &p->different))) {
        snprintf(problem, sizeof problem, "%s", error.text);
        return false;
    }
    p->pretended = pretended;
    p->build = mpi_build_named(build);
    p->off = json_string_value(off);
    snprintf(problem, sizeof problem, "no memory");
    return read_ranks(ranks, p) && (p->row = read_rows(collectives, false, &p->rows)) &&
           (p->message = read_rows(messages, true, &p->messages));
}

const char *mpi_profile_read(struct mpi_profile *p, const char *path) {
    json_error_t error;
    *p = (struct mpi_profile){.json = json_load_file(path, 0, &error)};
    if (!p->json)
        snprintf(problem, sizeof problem, "%s", error.text);
    return p->json && read_all(p) ? NULL : problem;
}

void mpi_profile_save(struct mpi_profile *p, const struct mpi_times *times) {
    json_t *rows = json_object_get(p->json, "collectives");
    for (size_t i = 0; i < p->rows; i++) {
        struct mpi_row *row = &p->row[i];
        const struct mpi_time *t = mpi_times_find(times, p->build, row->name, row->ranks, row->bytes);
        if (t)
            row->saved = row->accelerated * row->ranks * (t->library - t->accelerated);
        json_object_set_new(json_array_get(rows, i), "saved_seconds",
                            t ? json_real(row->saved) : json_null());
    }
}
