/* A request for a job, as the user states it. */

#ifndef UNO_REQUEST_H
#define UNO_REQUEST_H

#include <jansson.h>
#include <stdbool.h>

struct uno_unit_row;

struct uno_launch {
    int n;
    char **argv;            /* program and arguments */
    bool tag;               /* prefix each line of output with its PE */
    bool bind;              /* bind each PE to one processor */
    const char *gang;       /* take turns with the user's other jobs of this name; NULL: no turns */
    double timeout;         /* seconds; 0: none */
    const char *out;        /* folder for a file of each PE; NULL: none */
    bool stats;             /* show at the end, as a table, operations and waits */
    const char *stats_file; /* write them as JSON into this file; NULL: no */
    const char *trace;      /* write a timeline into this file; NULL: no */
    /* Called at the end with the JSON of stats_file; NULL: not wanted. Returns true on success; otherwise it
     * has reported the error. */
    bool (*show_stats)(void *argument, const json_t *figures);
    void *show_argument;
    const char *mpi;                 /* the folder of the MPI library that PEs are to load; NULL: none */
    const struct uno_unit_row *unit; /* the unit in which the PEs meet */
    const char *hardware;            /* the program that simulates the unit, if it has one */
    double clock_mhz;                /* the unit's clock; 0: not given */
    double port_ns;                  /* the time of a port operation; 0: not given */
};

#endif
