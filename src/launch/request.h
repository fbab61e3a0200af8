/* A request for a job, as the user states it. */

#ifndef UNO_REQUEST_H
#define UNO_REQUEST_H

#include <jansson.h>
#include <stdbool.h>

struct uno_node;
struct uno_seen_share;
struct uno_unit_row;

enum { UNO_HOST_NAME = 64 }; /* bytes of the longest name of a host, with its zero */

/* One program of a job, and the PEs that run it. */
struct uno_part {
    int n;              /* PEs */
    char **argv;        /* program and arguments; a name without '/' is looked for in PATH */
    char **environment; /* the environment of its processes, without the variables that tell each its PE */
    const char *folder; /* the folder in which they start; NULL: the launcher's */
};

struct uno_launch {
    int n;                  /* PEs of all parts */
    struct uno_part *part;  /* in the order of the PEs */
    int parts;              /* the number of parts */
    bool tag;               /* prefix each line of output with its PE */
    bool bind;              /* bind each PE to one processor */
    bool show_bindings;     /* show at the start on which processors each PE may run */
    const char *gang;       /* take turns with the user's other jobs of this name; NULL: no turns */
    double timeout;         /* seconds; 0: none */
    const char *out;        /* folder for a file of each PE; NULL: none */
    const char *file[2];    /* paths for output and for errors, in which %r is the PE's number; NULL: none */
    bool stats;             /* show at the end, as a table, operations and waits */
    const char *stats_file; /* write them as JSON into this file; NULL: no */
    const char *trace;      /* write a timeline into this file; NULL: no */
    /* Called at the end with the JSON of stats_file; NULL: not wanted. Returns true on success; otherwise it
     * has reported the error. */
    bool (*show_stats)(void *argument, const json_t *figures);
    void *show_argument;
    struct uno_seen_share *seen;     /* the memory in which calls are recorded; NULL: none is */
    const char *mpi;                 /* the folder of the MPI library that PEs are to load; NULL: none */
    const struct uno_unit_row *unit; /* the unit in which the PEs meet */
    const char *hardware;            /* the program that simulates the unit, if it has one */
    int side[2];                     /* columns and rows of a mesh; 0: not given */
    bool clocks;                     /* show at the end the clocks that the unit took */
    double clock_mhz;                /* the unit's clock; 0: not given */
    double port_ns;                  /* the time of a port operation; 0: not given */
    struct uno_node *node; /* the part of an agent's launcher (node.h); NULL: the job is on one machine */
};

#endif
