/* unisono bench: the way from a command line to figures, which all that is measured has in common. */

#ifndef BENCH_DRIVER_DRIVE_H
#define BENCH_DRIVER_DRIVE_H

#include <jansson.h>

#include "options.h"

/* A subject is one kind of measurement, with its own options and tables. */
struct bench_subject {
    const char *word; /* before the options; NULL: it is measured if no other word is there */
    const char *name; /* of the command, in its help */
    const char *plot; /* the program that draws its figures */
    const char *doc;  /* what its help says */
    const struct argp_option *options; /* made of what options.h has */
    struct bench_options standard;     /* what holds where nothing is said */
    /* Ends the program if the options do not go together; may be NULL. */
    void (*check)(const struct bench_options *options);
    /* Measures, prints the report if it is wanted, and returns everything. */
    json_t *(*measure)(const struct bench_options *options, bool report);
};

extern const struct bench_subject bench_subject_tables, bench_subject_vertex, bench_subject_exchange,
    bench_subject_mpi;

/* Measure what the command line asks for, of these subjects; NULL ends them. Returns the exit status. */
int bench_drive(const struct bench_subject *const *subjects, int argc, char **argv);

#endif
