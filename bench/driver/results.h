/* unisono bench: the plan of a measurement, and its results.
 *
 * A side is a program that is compared: Unisono, the bare exchange, an MPI library. A cell is an operation
 * with a type. For each number of PEs all sides are started once; for each cell they take short turns, round
 * robin, so that a slow second of the machine hits all alike. */

#ifndef BENCH_DRIVER_RESULTS_H
#define BENCH_DRIVER_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "options.h"
#include "protocol.h"

enum { MAX_SIDES = 6, MAX_CELLS = BENCH_OPS * BENCH_TYPE_COUNT };

/* Nanoseconds for one operation: quantiles over the batches of one PE, the greatest over the PEs. */
struct bench_figures {
    double least, octile, median, p99;
    double mean;              /* mean of the whole time, including that in which others had the processors */
    double switches;          /* process switches in one operation, of all PEs together */
    long batches, operations; /* timed, on one PE; 0: not measured */
    double round[MAX_ROUNDS]; /* the median of each round; 0: the side had no turn in it */
    double round_p99[MAX_ROUNDS];
};

struct side {
    char key[16];            /* "openmpi" */
    char name[32];           /* "Open MPI" */
    char label[BENCH_LABEL]; /* "Open MPI 5.0.11", as the library reports it */
    bool peer;               /* neither Unisono nor the bare exchange */
    json_t *description;     /* for a peer: the way to launch it */
    const char *worker;      /* its program is bench-WORKER, for most the key */
    bool variant;            /* a part of Unisono, which `unisono run` starts too */
    bool left_out;           /* it did not start */
    uint8_t support[BENCH_KINDS][BENCH_TYPE_COUNT];
    /* while it runs */
    pid_t launcher; /* 0: not running */
    int output;     /* the read end of its output */
    int connected, n;
    int socket[BENCH_MAX_PES];
    pid_t pid[BENCH_MAX_PES];
};

/* A side that only one bench has. */
struct bench_extra {
    const char *key, *worker, *name; /* the worker's file is bench-WORKER */
    bool variant;
};

struct bench {
    struct bench_options options;
    struct side side[MAX_SIDES]; /* [0] is Unisono, or its MPI library, [1] the bare exchange */
    int sides;
    struct {
        int op, type;
        uint64_t bytes; /* of a message; of a picture: its rows and columns */
        bool joined;    /* it takes turns with the cell before it, too, so that the two can be compared */
    } cell[MAX_CELLS];
    int cells;
    struct bench_figures *figures; /* see bench_figures() */
    double others[MAX_COUNTS];     /* processors that other programs used meanwhile, on average */
    char absent[MAX_SIDES][200];   /* peers that are not compared, and the reasons */
    int absents;
    /* Called with the sides of each number of PEs, when its cells are done; may be NULL. */
    void (*more)(struct bench *b, int count);
    const struct bench_extra *extra; /* another side, if its worker is there; or NULL */
    bool library;                    /* Unisono is its MPI library */
    bool quiet;                      /* show no progress */
    int listener;                    /* the socket that workers connect to */
    char socket_name[64];
};

static inline struct bench_figures *bench_figures(const struct bench *b, int count, int cell, int side) {
    return &b->figures[(count * b->cells + cell) * MAX_SIDES + side];
}

#endif
