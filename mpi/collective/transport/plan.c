#include "collective/transport/plan.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelerator/host/comm.h"
#include "collective/transport/ring.h"

/* The host counts bytes in int, and so does what is copied here. */
#define MOST ((size_t)INT_MAX)

struct row {
    int op, ranks; /* UNO_MPI_... */
    size_t below, least;
};

/* Of the process: the user's rows. */
static struct row *rows;
static int row_count;
static bool everything; /* UNISONO_MPI_TUNE=all */

/* ---- built in --------------------------------------------------------------------------------------------
 */

/* How many ranks there are for how many processors; PAIR: two, and each has one. */
enum column { PAIR, APART, CROWDED, VERY_CROWDED, COLUMNS };

enum { VERY = 8 /* ranks */, ALL = 0 };

/* Sizes in KB up to which an operation is accelerated. They are those of `unisono mpi --tune` with 2, 4 and 8
 * ranks on 2 processors up to which it gained at every size, mostly a fifth or more; APART is by those of 2
 * ranks when large blocks of the v forms were copied twice, since more have not been measured. PAIR is by
 * UNISONO_MPI_TUNE=all script/bench-mpi sizes imb --ranks 2: nowhere slower, whether the two processors share
 * a core or not. MPICH's ranks wait without letting others run. */
#define OP(name) [UNO_MPI_##name - UNO_MPI_FIRST]
static const unsigned short up_to[UNO_COLLECTIVES][COLUMNS] = {
#if UNO_MPI_OPENMPI
    OP(BARRIER) = {ALL, ALL, ALL, ALL},
    OP(BCAST) = {2048, 4, 4, 64},
    OP(REDUCE) = {4, 4, 32, ALL},
    OP(ALLREDUCE) = {32, 32, ALL, ALL},
    OP(SCAN) = {8, 8, 64, 8},
    OP(EXSCAN) = {8, 8, 64, 8},
    OP(GATHER) = {ALL, 16, 8, ALL},
    OP(GATHERV) = {16, 16, 8, 1024},
    OP(ALLGATHER) = {ALL, 8, 64, ALL},
    OP(ALLGATHERV) = {ALL, 16, ALL, ALL},
    OP(SCATTER) = {ALL, 8, 8, 8},
    OP(SCATTERV) = {ALL, 8, 8, 16},
    OP(ALLTOALL) = {ALL, 4, 16, 16},
    OP(ALLTOALLV) = {ALL, 4, 4, 16},
    OP(REDUCE_SCATTER) = {16, 16, ALL, ALL},
    OP(REDUCE_SCATTER_BLOCK) = {8, 8, ALL, 16},
#else
    OP(BCAST) = {ALL, ALL, ALL, ALL},
    OP(GATHER) = {1024, 8, ALL, ALL},
    OP(GATHERV) = {1024, 8, ALL, ALL},
    OP(ALLGATHER) = {ALL, 1024, ALL, ALL},
    OP(SCATTER) = {ALL, 1024, 64, 64},
    OP(SCATTERV) = {ALL, 16, 32, 32},
    OP(ALLTOALL) = {ALL, 1024, 128, 128},
    OP(REDUCE_SCATTER) = {64, 64, 256, 256},
    OP(REDUCE_SCATTER_BLOCK) = {32, 32, 64, 64},
#endif
};

/* Bytes from which it is: of the operations in which a rank may run ahead of the others, such as a root that
 * only sends. In a row of them Open MPI's ranks store small messages into memory one after the other, and
 * hardly switch; the accelerator meets in each operation. Larger messages Open MPI's ranks wait for, too. */
static const unsigned short from[UNO_COLLECTIVES][COLUMNS] = {
#if UNO_MPI_OPENMPI
    OP(BCAST) = {0, 0, 512, 512},   OP(SCAN) = {512, 512, 512, 512}, OP(EXSCAN) = {256, 256, 512, 512},
    OP(GATHERV) = {0, 0, 512, 512}, OP(SCATTER) = {0, 0, 256, 256},  OP(SCATTERV) = {0, 0, 512, 512},
#endif
};

/* Bytes up to which it is done without a meeting, if the ranks are few enough (stream.h): of the same
 * operations, and of those in which all ranks but one only send. As many ranks as processors meet faster than
 * that, but where each rank waits for the one before it and the data take one step of a ring. What has such a
 * size has no least one: `from` is for those who cannot do it. */
enum { STEP = UNO_RING_BYTES, STREAM = UNO_STREAM_BYTES };
static const unsigned short streamed[UNO_COLLECTIVES][COLUMNS] = {
    OP(BCAST) = {0, 0, STREAM, STREAM},      OP(SCATTER) = {0, 0, STREAM, STREAM},
    OP(REDUCE) = {0, 0, STREAM, STREAM},     OP(GATHER) = {0, 0, STREAM, STREAM},
    OP(SCAN) = {STEP, STEP, STREAM, STREAM}, OP(EXSCAN) = {STEP, STEP, STREAM, STREAM},
};
#undef OP

static enum column column_of(int ranks, bool crowded) {
    if (!crowded)
        return ranks > 2 ? APART : PAIR;
    return ranks < VERY ? CROWDED : VERY_CROWDED;
}

/* Below how many bytes, and from how many on. */
static size_t built_in(int op, int ranks, bool crowded, size_t *least) {
    enum column column = column_of(ranks, crowded);
    size_t kb = up_to[op - UNO_MPI_FIRST][column];
    *least = from[op - UNO_MPI_FIRST][column] ? from[op - UNO_MPI_FIRST][column] : 1;
    return kb == ALL ? MOST : kb * 1024 + 1;
}

/* ---- the file --------------------------------------------------------------------------------------------
 */

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

/* The words after `below`. Returns NULL, or what is wrong. */
static const char *parse_row(char *rest, bool *mine, struct row *row) {
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
        row->below = MOST, *error = 0;
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
        struct row row;
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
        struct row *more = realloc(rows, (size_t)(row_count + 1) * sizeof *rows);
        if (!more)
            return "out of memory";
        rows = more;
        rows[row_count++] = row;
    }
    return NULL;
}

/* Where it lies if nobody says so. False: nowhere. */
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

const char *uno_decide_read(void) {
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
    fclose(file);
    return wrong;
}

void uno_decide_agree(void) {
    int told[2] = {row_count, everything};
    HOST(Bcast)(told, 2, MPI_INT, 0, MPI_COMM_WORLD);
    row_count = told[0];
    everything = told[1];
    if (!row_count)
        return;
    if (!rows)
        rows = uno_node_allocate((size_t)row_count, sizeof *rows);
    HOST(Bcast)(rows, row_count * (int)sizeof *rows, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* ---- the decision ----------------------------------------------------------------------------------------
 */

/* The row of the operation that is for so many ranks; NULL: there is none of the operation. */
static const struct row *row_for(int op, int ranks) {
    const struct row *best = NULL;
    for (const struct row *row = rows; row < rows + row_count; row++) {
        if (row->op != op)
            continue;
        bool fits = row->ranks <= ranks, best_fits = best && best->ranks <= ranks;
        if (!best || fits > best_fits || (fits == best_fits && fits == (row->ranks >= best->ranks)))
            best = row;
    }
    return best;
}

void uno_decide(int ranks, bool crowded, bool streams, struct uno_band *band) {
    for (int op = UNO_MPI_FIRST; op <= UNO_MPI_LAST; op++) {
        const struct row *row = row_for(op, ranks);
        size_t least = row && !everything ? row->least : 1;
        size_t below = everything ? MOST : row ? row->below : built_in(op, ranks, crowded, &least);
        size_t stream = streams ? streamed[op - UNO_MPI_FIRST][column_of(ranks, crowded)] : 0;
        if (stream && !row)
            least = 1;
        band[op - UNO_MPI_FIRST] = (struct uno_band){least, below > least ? below - least : 0, stream};
    }
}
