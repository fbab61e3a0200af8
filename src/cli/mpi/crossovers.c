#define _GNU_SOURCE
#include "crossovers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/aside.h"
#include "failure.h"

bool mpi_crossovers_path(char path[PATH_MAX]) {
    const char *tune = getenv("UNISONO_MPI_TUNE"), *folder = getenv("XDG_CONFIG_HOME"),
               *home = getenv("HOME");
    if (tune && *tune)
        return strcmp(tune, "all") != 0 && strcmp(tune, "none") != 0 &&
               snprintf(path, PATH_MAX, "%s", tune) > 0;
    if (folder && *folder == '/')
        return snprintf(path, PATH_MAX, "%s/unisono/mpi-crossovers", folder) < PATH_MAX;
    return home && *home && snprintf(path, PATH_MAX, "%s/.config/unisono/mpi-crossovers", home) < PATH_MAX;
}

/* ---- times ------------------------------------------------------------------------------------------- */

static bool read_time(const char *line, struct mpi_time *t) {
    char build[16];
    if (sscanf(line, " time %15s %39s %d %lf %lf %lf", build, t->operation, &t->ranks, &t->bytes,
               &t->accelerated, &t->library) != 6)
        return false;
    t->build = mpi_build_named(build);
    t->accelerated /= 1e6;
    t->library /= 1e6;
    return t->build && t->ranks > 0;
}

void mpi_times_read(struct mpi_times *times, const char *path) {
    char line[512];
    FILE *file = fopen(path, "r");
    *times = (struct mpi_times){0};
    while (file && fgets(line, sizeof line, file)) {
        struct mpi_time one, *more;
        if (!read_time(line, &one))
            continue;
        more = realloc(times->time, (times->count + 1) * sizeof *more);
        if (!more)
            break;
        times->time = more;
        times->time[times->count++] = one;
    }
    if (file)
        fclose(file);
}

/* Return true if a measurement with a ranks is nearer to n than one with b: the greatest number not above n
 * is the nearest, else the least. */
static bool is_nearer(int a, int b, int n) {
    return a <= n ? b > n || a > b : b > n && a < b;
}

const struct mpi_time *mpi_times_find(const struct mpi_times *times, enum mpi_build build,
                                      const char *operation, int ranks, double bytes) {
    const struct mpi_time *best = NULL;
    for (size_t i = 0; i < times->count; i++) {
        const struct mpi_time *t = &times->time[i];
        if (t->build != build || strcmp(t->operation, operation) != 0)
            continue;
        if (!best || is_nearer(t->ranks, best->ranks, ranks) ||
            (t->ranks == best->ranks &&
             fabs(log2(t->bytes + 1) - log2(bytes + 1)) < fabs(log2(best->bytes + 1) - log2(bytes + 1))))
            best = t;
    }
    return best;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* Return true if a line holds measurements of this build and number of ranks, or is the comment about them,
 * which begins with "# measured". */
static bool is_of(const char *line, enum mpi_build build, int ranks) {
    char word[16], key[16], operation[MPI_OPERATION];
    int n;
    bool is = sscanf(line, " %15s %15s %39s %d", word, key, operation, &n) == 4 &&
              (strcmp(word, "below") == 0 || strcmp(word, "time") == 0);
    is = is || sscanf(line, "# measured %15s %d", key, &n) == 2;
    return is && n == ranks && mpi_build_named(key) == build;
}

/* Make the folders above a file. A failure shows when the file is opened. */
static void make_folders(const char *path) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *at = strchr(folder + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(folder, 0777);
        *at = '/';
    }
}

static const char heading[] =
    "# Up to which sizes collectives are accelerated: written by `unisono mpi --tune`; may be edited.\n"
    "#     below BUILD OPERATION RANKS BYTES [FROM]    0: never, all: always; from FROM bytes on\n"
    "#     time  BUILD OPERATION RANKS BYTES MICROSECONDS-ACCELERATED MICROSECONDS-OF-THE-LIBRARY\n";

static _Noreturn void cannot_write(const char *path, int error) {
    mpi_fail(EXIT_FAILURE, "cannot write %s: %s", path, strerror(error));
}

static void open_aside(struct uno_aside *aside, const char *path) {
    make_folders(path);
    int error = -uno_aside_open(aside, path);
    if (error)
        cannot_write(path, error);
}

void mpi_crossovers_try(const char *path) {
    struct uno_aside aside;
    open_aside(&aside, path);
    uno_aside_drop(&aside);
}

void mpi_crossovers_write(const char *path, enum mpi_build build, int ranks, const char *text) {
    struct uno_aside aside;
    char line[512];
    open_aside(&aside, path);
    FILE *old = fopen(path, "r"), *file = uno_aside_stream(&aside);
    if (!file)
        cannot_write(path, errno);
    if (!old)
        fputs(heading, file);
    while (old && fgets(line, sizeof line, old))
        if (!is_of(line, build, ranks))
            fputs(line, file);
    if (old)
        fclose(old);
    fputs(text, file);
    bool bad = ferror(file);
    bad |= fclose(file) != 0;
    int error = bad ? errno : -uno_aside_finish(&aside, false);
    if (bad)
        uno_aside_drop(&aside);
    if (error)
        cannot_write(path, error);
}
