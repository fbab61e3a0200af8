/* What a job is to be, as its user asks. */

#ifndef UNO_REQUEST_H
#define UNO_REQUEST_H

#include <jansson.h>
#include <stdbool.h>

struct uno_unit_row;

struct uno_launch {
    int n;
    char **argv;            /* program and arguments */
    bool tag;               /* mark each line with its PE */
    bool bind;              /* each PE to one processor */
    const char *gang;       /* in turns with other jobs of this user that have this name; NULL: not */
    double timeout;         /* seconds; 0: none */
    const char *out;        /* folder for a file per PE; NULL: none */
    bool stats;             /* what was done and waited for, at the end: as a table */
    const char *stats_file; /* as JSON into this file; NULL: none */
    const char *trace;      /* a timeline into this file; NULL: none */
    /* Given the JSON of stats_file at the end; NULL: not wanted. Whether that went well, or it has said not.
     */
    bool (*show_stats)(void *argument, const json_t *figures);
    void *show_argument;
    const char *mpi; /* the folder of the MPI library that PEs are to load; NULL: there is none */
    const struct uno_unit_row *unit; /* in which the PEs meet */
    const char *hardware;            /* the program that simulates it, if the unit has one */
    double clock_mhz;                /* of the unit; 0: not said */
    double port_ns;                  /* that a port operation takes; 0: not said */
};

#endif
