/* unisono bench: the way from a command line to figures, which all subjects share. */

#ifndef BENCH_DRIVER_DRIVE_H
#define BENCH_DRIVER_DRIVE_H

#include <jansson.h>

#include "options.h"

/* A subject is one kind of measurement, with its own options and tables. */
struct bench_subject {
    const char *word;                  /* its word before the options; NULL: the subject without a word */
    const char *name;                  /* the name of the command, in its help */
    const char *plot;                  /* the program that draws its figures */
    const char *doc;                   /* the text of its help */
    const struct argp_option *options; /* made of the rows in options.h */
    struct bench_options standard;     /* the defaults */
    /* End the program if the options do not go together; may be NULL. */
    void (*check)(const struct bench_options *options);
    /* Measure, print the report if `report`, and return all figures. */
    json_t *(*measure)(const struct bench_options *options, bool report);
};

extern const struct bench_subject bench_subject_tables, bench_subject_vertex, bench_subject_exchange,
    bench_subject_mpi, bench_subject_mesh;

/* Measure the subject that the command line asks for, one of these; NULL ends them. Returns the exit
 * status. */
int bench_drive(const struct bench_subject *const *subjects, int argc, char **argv);

#endif
