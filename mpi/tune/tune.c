/* MPI_ functions are the accelerator's, PMPI_ functions the library's. Both are measured in one run, in short
 * turns, so that a slow second of the machine affects both alike. */

#include "tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include UNO_MPI_HEADER

enum {
    ROUNDS = 15,       /* at most, of turns */
    LEAST_ROUNDS = 5,  /* however long they take */
    MOST_CALLS = 1000, /* in a turn */
    MEMORY = 32 << 20, /* bytes of a buffer */
};

/* Seconds: of a turn, and of all turns of a size. A test, which needs no figures, makes them shorter. */
#ifndef UNO_TUNE_TURN
#define UNO_TUNE_TURN 0.001
#endif
static const double TURN = UNO_TUNE_TURN, CELL = 60 * UNO_TUNE_TURN;

enum { MOST_RANKS = 1024 };

/* The buffers of this process, which has one thread. */
static char *from, *to;
static int rank, ranks;
/* for the forms with parts of any length, which are all the same here */
static int counts[MOST_RANKS], at[MOST_RANKS];

/* The part whose size the accelerator decides by. */
enum part { NOTHING, VECTOR, BLOCK, ALL_BLOCKS };

/* X(name, unit in bytes, part, whether some ranks may run ahead, arguments), n units long. Where a rank, such
 * as a root that only sends, may run ahead of the others, a program may gain by that or not: so these are
 * measured in a row, and also each followed by a barrier, the same one for both sides; the case in which the
 * accelerator gains less counts. */
#define OPERATIONS(X)                                                                                        \
    X(Barrier, 1, NOTHING, 0, (MPI_COMM_WORLD))                                                              \
    X(Bcast, 1, VECTOR, 1, (from, n, MPI_BYTE, 0, MPI_COMM_WORLD))                                           \
    X(Reduce, 8, VECTOR, 1, (from, to, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD))                           \
    X(Allreduce, 8, VECTOR, 0, (from, to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))                           \
    X(Scan, 8, VECTOR, 1, (from, to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))                                \
    X(Exscan, 8, VECTOR, 1, (from, to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))                              \
    X(Gather, 1, BLOCK, 1, (from, n, MPI_BYTE, to, n, MPI_BYTE, 0, MPI_COMM_WORLD))                          \
    X(Gatherv, 1, BLOCK, 1, (from, n, MPI_BYTE, to, counts, at, MPI_BYTE, 0, MPI_COMM_WORLD))                \
    X(Allgather, 1, BLOCK, 0, (from, n, MPI_BYTE, to, n, MPI_BYTE, MPI_COMM_WORLD))                          \
    X(Allgatherv, 1, ALL_BLOCKS, 0, (from, n, MPI_BYTE, to, counts, at, MPI_BYTE, MPI_COMM_WORLD))           \
    X(Scatter, 1, BLOCK, 1, (from, n, MPI_BYTE, to, n, MPI_BYTE, 0, MPI_COMM_WORLD))                         \
    X(Scatterv, 1, BLOCK, 1, (from, counts, at, MPI_BYTE, to, n, MPI_BYTE, 0, MPI_COMM_WORLD))               \
    X(Alltoall, 1, BLOCK, 0, (from, n, MPI_BYTE, to, n, MPI_BYTE, MPI_COMM_WORLD))                           \
    X(Alltoallv, 1, BLOCK, 0, (from, counts, at, MPI_BYTE, to, counts, at, MPI_BYTE, MPI_COMM_WORLD))        \
    X(Reduce_scatter, 8, ALL_BLOCKS, 0, (from, to, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))             \
    X(Reduce_scatter_block, 8, BLOCK, 0, (from, to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))

#define X(name, unit, part, ahead, arguments)                                                                \
    static void own_##name(int n) {                                                                          \
        (void)n;                                                                                             \
        MPI_##name arguments;                                                                                \
    }                                                                                                        \
    static void library_##name(int n) {                                                                      \
        (void)n;                                                                                             \
        PMPI_##name arguments;                                                                               \
    }
OPERATIONS(X)
#undef X

static const struct operation {
    const char *name;
    int unit;
    enum part part;
    bool ahead;
    void (*way[2])(int n); /* the accelerator's, the library's */
} operations[] = {
#define X(name, unit, part, ahead, arguments) {"MPI_" #name, unit, part, ahead, {own_##name, library_##name}},
    OPERATIONS(X)
#undef X
};

static void lay_out(int n) {
    for (int i = 0; i < ranks; i++) {
        counts[i] = n;
        at[i] = i * n;
    }
}

/* Return the seconds of one call, of `calls` in a row. apart: each is followed by a barrier. */
static double turn(const struct operation *o, bool apart, int way, int n, int calls) {
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int i = 0; i < calls; i++) {
        o->way[way](n);
        if (apart)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - began) / calls;
}

/* Return the greatest value of all ranks, to all. */
static double greatest(double value) {
    double all;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Return the lower quartile of the rounds, each as its slowest rank saw it. */
static double quartile(double *seconds, int rounds) {
    double slowest[ROUNDS];
    PMPI_Allreduce(seconds, slowest, rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    qsort(slowest, (size_t)rounds, sizeof *slowest, ascending);
    return slowest[rounds / 4];
}

/* Return how many calls fill a turn: the same at every rank. */
static int calls_of_turn(const struct operation *o, bool apart, int way, int n) {
    double once = greatest(turn(o, apart, way, n, 1));
    double calls = once > 0 ? TURN / once : MOST_CALLS;
    return calls < 1 ? 1 : calls > MOST_CALLS ? MOST_CALLS : (int)calls;
}

static void measure(const struct operation *o, bool apart, int n, double seconds[2]) {
    double round[2][ROUNDS];
    int calls[2] = {calls_of_turn(o, apart, 0, n), calls_of_turn(o, apart, 1, n)}, rounds = 0;
    double began = MPI_Wtime();
    do {
        for (int i = 0; i < 2; i++) {
            int way = (i + rounds) % 2; /* each goes first in every other round */
            round[way][rounds] = turn(o, apart, way, n, calls[way]);
        }
        rounds++;
    } while (rounds < ROUNDS && (greatest(MPI_Wtime() - began) < CELL || rounds < LEAST_ROUNDS));
    for (int way = 0; way < 2; way++)
        seconds[way] = quartile(round[way], rounds);
}

/* Measure one operation with blocks or a vector of n units. */
static void one_size(FILE *f, const struct operation *o, int n, bool once) {
    double seconds[2] = {0}, apart[2] = {0};
    long bytes = o->part == NOTHING ? 0 : (long)n * o->unit * (o->part == ALL_BLOCKS ? ranks : 1);
    lay_out(n);
    if (once)
        o->way[0](n);
    else
        measure(o, false, n, seconds);
    if (!once && o->ahead)
        measure(o, true, n, apart);
    if (apart[0] * seconds[1] > seconds[0] * apart[1])
        memcpy(seconds, apart, sizeof seconds);
    if (f)
        fprintf(f, "%s %ld %.9g %.9g\n", o->name, bytes, seconds[0], seconds[1]);
}

static void go_through(FILE *f, bool once) {
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
        const struct operation *o = &operations[k];
        long most = o->part == NOTHING ? 1 : UNO_TUNE_GREATEST;
        if (o->part >= BLOCK && most > MEMORY / ranks)
            most = MEMORY / ranks;
        for (long bytes = o->unit; bytes <= most; bytes *= 2)
            one_size(f, o, (int)(bytes / o->unit), once);
    }
}

int uno_tune(const char *file, bool once) {
    FILE *f = NULL;
    int good = 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > MOST_RANKS) {
        fprintf(stderr, "unisono mpi: this measures up to %d ranks\n", MOST_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    /* all bytes are 0, and so are sums of 0.0: no result grows out of range */
    from = calloc(1, MEMORY);
    to = calloc(1, MEMORY);
    if (rank == 0)
        f = fopen(file, "w");
    if (!from || !to || (rank == 0 && !f)) {
        fprintf(stderr, "unisono mpi: cannot %s\n",
                f || rank ? "have memory to measure with" : "write the figures");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    go_through(f, once);
    if (f)
        good = fclose(f) == 0;
    MPI_Finalize();
    free(from);
    free(to);
    return good ? 0 : 1;
}
