/* unisono bench: the options. */

#ifndef BENCH_DRIVER_OPTIONS_H
#define BENCH_DRIVER_OPTIONS_H

#include <argp.h>
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
    bool quick;
    const char *parts; /* a list of words, or NULL: all */
    const char *peers; /* "auto", "none" or a list of keys */
    const char *json, *plot, *html;
};

/* The options of a subject are made of these; each list ends with BENCH_COMMON. */
enum {
    BENCH_TABLES = 256,
    BENCH_OPERATION,
    BENCH_TYPE,
    BENCH_PARTS,
    BENCH_UNIT,
    BENCH_SECONDS,
    BENCH_QUICK,
    BENCH_REPETITIONS,
    BENCH_PEERS,
    BENCH_JSON,
    BENCH_PLOT,
    BENCH_HTML
};

#define BENCH_PES(least, standard)                                                                           \
    { "pes", 'n', "LIST", 0, "Numbers of PEs, " least " to 64 each (default " standard ")", 0 }
#define BENCH_UNITS                                                                                          \
    { "unit", BENCH_UNIT, "UNIT", 0, "shm: PEs are processes (default); thread: PEs are threads", 0 }
#define BENCH_COMMON(seconds, each, picture)                                                                 \
    {"seconds",                                                                                              \
     BENCH_SECONDS,                                                                                          \
     "S",                                                                                                    \
     0,                                                                                                      \
     "Time of the whole measurement; slow peers take more (default " seconds ")",                            \
     0},                                                                                                     \
        {"quick", BENCH_QUICK, NULL, 0, "The same as --seconds 8 --repetitions 5", 0},                       \
        {"repetitions",                                                                                      \
         BENCH_REPETITIONS,                                                                                  \
         "N",                                                                                                \
         0,                                                                                                  \
         "Turns of each side for each " each ", 1 to 1000 (default 20)",                                     \
         0},                                                                                                 \
        {"peers",                                                                                            \
         BENCH_PEERS,                                                                                        \
         "LIST",                                                                                             \
         0,                                                                                                  \
         "MPI libraries to compare with: auto, those found when Unisono was built (default); none; or of "   \
         "mpich,openmpi",                                                                                    \
         0},                                                                                                 \
        {"json",                                                                                             \
         BENCH_JSON,                                                                                         \
         "FILE",                                                                                             \
         0,                                                                                                  \
         "Write all figures as JSON into FILE; -: to standard output, in place of the tables",               \
         0},                                                                                                 \
        {"html", BENCH_HTML, "FILE", 0, "Write all figures as a page with charts, for a browser", 0},        \
        {"plot", BENCH_PLOT, "FILE", 0, picture ", as PNG", 0}, {                                            \
        0                                                                                                    \
    }

/* Read the command line into options, which hold the defaults; ends the program if it is wrong. doc: the
 * beginning of the help. */
void bench_parse(struct bench_options *options, const struct argp_option *accepted, const char *doc, int argc,
                 char **argv);

#endif
