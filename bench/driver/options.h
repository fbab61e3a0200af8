/* unisono bench: the options. */

#ifndef BENCH_DRIVER_OPTIONS_H
#define BENCH_DRIVER_OPTIONS_H

#include <stdbool.h>

#include "names.h"

enum { MAX_COUNTS = 16, MAX_ROUNDS = 1000 };

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
    const char *json, *plot, *html;
};

/* Read the command line; ends the program if it is wrong. */
void bench_parse(struct bench_options *options, int argc, char **argv);

/* That of `unisono bench vertex`, which has fewer options. */
void bench_parse_vertex(struct bench_options *options, int argc, char **argv);

/* That of `unisono bench exchange`. */
void bench_parse_exchange(struct bench_options *options, int argc, char **argv);

/* That of `unisono bench mpi`. */
void bench_parse_mpi(struct bench_options *options, int argc, char **argv);

#endif
