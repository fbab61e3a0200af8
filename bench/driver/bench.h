/* unisono bench, within: what its files share.
 *
 * A side is one of the things compared: Unisono, the bare exchange, an MPI library. A cell is an operation
 * with a type. For each number of PEs all sides are started once; for each cell they take short turns, round
 * robin, so that a slow second of the machine hits all alike. */

#ifndef UNO_BENCH_H
#define UNO_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "protocol.h"

enum {
    MAX_SIDES = 6,
    MAX_COUNTS = 16,
    MAX_ROUNDS = 1000,
    MAX_CELLS = BENCH_OPS * BENCH_TYPE_COUNT,
};

/* ---- names.c: operations, types, the paper's tables -------------------------------------------- */

struct bench_kind {
    const char *name; /* "p_reduceAdd", "ring" */
    enum bench_types types;
    enum bench_timing timing;
    enum bench_result result;
};
extern const struct bench_kind bench_kinds[BENCH_KINDS];
extern const char *const bench_suffixes[BENCH_TYPE_COUNT];

/* Whether the operation exists for the type. */
bool bench_has_type(int op, int type);

enum { TABLE_COLUMNS = 6, TABLE_ROWS = 7, FIRST_TABLE = 2, LAST_TABLE = 20 };

struct bench_table {
    int number;
    const char *title;
    struct {
        const char *heading; /* NULL: no more columns */
        int op, type;
    } column[TABLE_COLUMNS];
    struct {
        const char *system; /* NULL: no more rows */
        const char *cell[TABLE_COLUMNS];
    } row[TABLE_ROWS];
};
extern const struct bench_table bench_tables[LAST_TABLE - FIRST_TABLE + 1];

/* ---- what is measured -------------------------------------------------------------------------------- */

struct bench_options {
    bool tables[LAST_TABLE + 1], ops[BENCH_OPS], types[BENCH_TYPE_COUNT];
    bool types_given;
    int counts[MAX_COUNTS], count_count; /* numbers of PEs */
    bool threads;
    double seconds;
    int rounds;
    const char *peers; /* "auto", "none" or a list of keys */
    bool limits;
    bool chosen; /* an option says what to measure */
    const char *json, *plot;
};

/* Nanoseconds for one operation: quantiles over the batches of one PE, the greatest over the PEs. */
struct bench_figures {
    double least, octile, median, p99;
    double mean;              /* of all time, also that which others had the processors */
    double switches;          /* of processes, in one operation, of all PEs together */
    long batches, operations; /* timed, on one PE; 0: not measured */
    double round[MAX_ROUNDS]; /* the median of each round; 0: the side had no turn in it */
    double round_p99[MAX_ROUNDS];
};

struct bench_side {
    char key[16];            /* "openmpi" */
    char name[32];           /* "Open MPI" */
    char label[BENCH_LABEL]; /* "Open MPI 5.0.11": as the library says */
    bool peer;               /* neither Unisono nor the bare exchange */
    json_t *description;     /* of a peer: how to launch it */
    bool variant;            /* Unisono, built otherwise */
    bool left_out;           /* it did not start */
    uint8_t support[BENCH_KINDS][BENCH_TYPE_COUNT];
    /* while it runs */
    pid_t launcher; /* 0: not running */
    int output;     /* what it printed */
    int connected, n;
    int socket[BENCH_MAX_PES];
    pid_t pid[BENCH_MAX_PES];
};

struct bench {
    struct bench_options options;
    struct bench_side side[MAX_SIDES]; /* [0] is Unisono, [1] the bare exchange */
    int sides;
    struct {
        int op, type;
        uint64_t bytes; /* of a message; of a picture: its rows and columns */
        bool joined;    /* takes turns with the cell before it, too, so that the two can be compared */
    } cell[MAX_CELLS];
    int cells;
    struct bench_figures *figures; /* see bench_figures() */
    char absent[MAX_SIDES][200];   /* peers that are not compared, and why */
    int absents;
    /* Called with the sides of each number of PEs, when its cells are done; may be NULL. */
    void (*more)(struct bench *b, int count);
    bool awake;    /* compare with the Unisono that cannot sleep, if it is there */
    bool switches; /* and with process switches alone */
    bool quiet;    /* show no progress */
    int listener;  /* the socket that workers connect to */
    char socket_name[64];
};

static inline struct bench_figures *bench_figures(const struct bench *b, int count, int cell, int side) {
    return &b->figures[(count * b->cells + cell) * MAX_SIDES + side];
}

/* Print one line "unisono bench: ..." and end everything that runs; exit status 1. */
_Noreturn void bench_fail(struct bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- options.c -------------------------------------------------------------------------------------
 */

/* Read the command line; ends the program if it is wrong. */
void bench_parse(struct bench_options *options, int argc, char **argv);

/* That of `unisono bench vertex`, which has fewer options. */
void bench_parse_vertex(struct bench_options *options, int argc, char **argv);

/* The command line is wrong: print one line; exit status 2. */
_Noreturn void bench_reject(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- sides.c ----------------------------------------------------------------------------------- */

/* Find the workers; --peers says which peers. */
void bench_sides_find(struct bench *b);

/* Start every side with n PEs. A peer that does not start is left out, with a warning, unless it was named.
 */
void bench_sides_start(struct bench *b, int n);

/* End them in an orderly way. */
void bench_sides_stop(struct bench *b);

/* End them now. */
void bench_sides_kill(struct bench *b);

/* A side has broken off: say so, with what it printed. */
_Noreturn void bench_side_failed(struct bench *b, struct bench_side *side, const char *when);

/* SIGINT or SIGTERM came: the number, or 0. */
extern volatile int bench_interrupted;

/* ---- measure.c --------------------------------------------------------------------------------- */

/* Measure every cell with every number of PEs. */
void bench_measure(struct bench *b);

/* One turn of a side: tell every PE, then receive from each its reply and what follows that. */
void bench_send(struct bench *b, struct bench_side *side, int cell, const struct bench_turn *turn);
void bench_receive(struct bench *b, struct bench_side *side, int k, int cell, void *data, size_t size);

/* The element of which the given part of all lies below. Sorts them. */
double bench_quantile(double *values, size_t count, double part);

/* ---- limits.c ---------------------------------------------------------------------------------- */

/* Measure what the goals are about, and print them as a table if `report`. Returns everything. */
json_t *bench_limits(const struct bench_options *options, bool report);

/* ---- vertex.c ---------------------------------------------------------------------------------- */

/* Measure messages and the edge detector, and print the tables if `report`. Returns everything. */
json_t *bench_vertex(const struct bench_options *options, bool report);

/* ---- report.c, json.c -------------------------------------------------------------------- */

/* How Unisono compares to one peer, or to the better of all, in one cell: peer's time / Unisono's. */
struct bench_ratio {
    double octile, median;
    double round_least, round_greatest; /* over the rounds, by their medians */
    int side;                           /* the peer whose octile is the least; 0: none was measured */
};
struct bench_ratio bench_ratio(const struct bench *b, int count, int cell, int peer);

/* Whether the cell counts as "p_wait and every 8-byte operation". */
bool bench_is_key(const struct bench *b, int cell);

void bench_report(const struct bench *b);

json_t *bench_json(const struct bench *b);

/* Draw the plot with this Python program in share/unisono. */
void bench_plot(struct bench *b, json_t *json, const char *program, const char *file);

#endif
