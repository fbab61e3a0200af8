#include "accelerator/start/crossovers.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelerator/host/host.h"
#include "collective/base.h"
#include "collective/transport/plan.h"

/* The user's crossovers in this process. */
static struct uno_crossover *rows;
static int row_count;
static bool everything; /* UNISONO_MPI_TUNE=all */

static int op_of(const char *name) {
    for (int op = UNO_MPI_FIRST; op <= UNO_MPI_LAST; op++)
        if (!strcmp(name, uno_mpi_name[op - UNO_MPI_FIRST]))
            return op;
    return 0;
}

static bool parse_number(const char *text, long most, size_t *number) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < 0)
        return false;
    *number = (size_t)(value < most ? value : most);
    return true;
}

/* Parse the words after `below`. Returns NULL, or the words of the error. */
static const char *parse_row(char *rest, bool *mine, struct uno_crossover *row) {
    static char error[200];
    char *word[4], *save = NULL;
    for (int i = 0; i < 4; i++, rest = NULL)
        if (!(word[i] = strtok_r(rest, " \t\n", &save)))
            return "a row is: below BUILD OPERATION RANKS BYTES";
    const char *least = strtok_r(NULL, " \t\n", &save);
    if (least && strtok_r(NULL, " \t\n", &save))
        return "there is more than: below BUILD OPERATION RANKS BYTES FROM";
    row->least = 1;
    size_t ranks;
    row->op = op_of(word[1]);
    if (!row->op || row->op == UNO_MPI_BARRIER)
        snprintf(error, sizeof error, "%.60s is no operation that has a crossover", word[1]);
    else if (!parse_number(word[2], INT_MAX, &ranks) || ranks < 1)
        snprintf(error, sizeof error, "%.60s is no number of ranks", word[2]);
    else if (least && (!parse_number(least, INT_MAX, &row->least) || row->least < 1))
        snprintf(error, sizeof error, "%.60s is no least number of bytes", least);
    else if (!strcmp(word[3], "all"))
        row->below = INT_MAX, *error = 0;
    else if (!parse_number(word[3], INT_MAX, &row->below))
        snprintf(error, sizeof error, "%.60s is no number of bytes", word[3]);
    else
        *error = 0;
    row->ranks = *error ? 0 : (int)ranks;
    *mine = !strcmp(word[0], UNO_MPI_BUILD);
    return *error ? error : NULL;
}

static const char *read_file(const char *path, FILE *file) {
    static char error[PATH_MAX + 300];
    char line[400];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "#")] = 0;
        char *save = NULL, *first = strtok_r(line, " \t\n", &save);
        struct uno_crossover row;
        bool mine;
        if (!first || strcmp(first, "time") == 0)
            continue;
        const char *wrong =
            strcmp(first, "below") != 0 ? "a line starts with below or time" : parse_row(save, &mine, &row);
        if (wrong) {
            snprintf(error, sizeof error, "%s:%d: %s", path, number, wrong);
            return error;
        }
        if (!mine)
            continue;
        struct uno_crossover *more = realloc(rows, (size_t)(row_count + 1) * sizeof *rows);
        if (!more)
            return "out of memory";
        rows = more;
        rows[row_count++] = row;
    }
    return NULL;
}

/* Find the default path of the file. False: there is none. */
static bool default_path(char *path, size_t size) {
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (folder && *folder)
        snprintf(path, size, "%s/unisono/mpi-crossovers", folder);
    else if (home && *home)
        snprintf(path, size, "%s/.config/unisono/mpi-crossovers", home);
    else
        return false;
    return true;
}

const char *uno_crossovers_read(void) {
    static char error[PATH_MAX + 100];
    const char *named = getenv("UNISONO_MPI_TUNE");
    char path[PATH_MAX];
    if (named && !*named)
        named = NULL;
    everything = named && !strcmp(named, "all");
    if (everything || (named && !strcmp(named, "none")))
        return NULL;
    if (named)
        snprintf(path, sizeof path, "%s", named);
    else if (!default_path(path, sizeof path))
        return NULL;
    FILE *file = fopen(path, "r");
    if (!file && !named && errno == ENOENT)
        return NULL;
    if (!file) {
        snprintf(error, sizeof error, "cannot read the crossovers in %s: %s", path, strerror(errno));
        return error;
    }
    const char *wrong = read_file(path, file);
    if (!wrong && ferror(file)) {
        snprintf(error, sizeof error, "cannot read the crossovers in %s: %s", path, strerror(errno));
        wrong = error;
    }
    fclose(file);
    if (wrong) /* half a file is worse than none */
        row_count = 0;
    return wrong;
}

void uno_crossovers_agree(void) {
    int told[2] = {row_count, everything};
    HOST(Bcast)(told, 2, MPI_INT, 0, MPI_COMM_WORLD);
    row_count = told[0];
    everything = told[1];
    if (row_count && !rows)
        rows = uno_base_allocate((size_t)row_count, sizeof *rows);
    if (row_count)
        HOST(Bcast)(rows, row_count * (int)sizeof *rows, MPI_BYTE, 0, MPI_COMM_WORLD);
    uno_plan_start(UNO_MPI_OPENMPI ? UNO_RIVAL_OPENMPI : UNO_RIVAL_MPICH, rows, row_count, everything);
}
