/* The launcher: starts the processes of a job, passes on what they write, and stays until all have ended. */

#ifndef UNO_LAUNCH_H
#define UNO_LAUNCH_H

#include <stdbool.h>

enum {
    UNO_EXIT_USAGE = 2,
    UNO_EXIT_TIMEOUT = 124,
    UNO_EXIT_NOT_EXECUTABLE = 126,
    UNO_EXIT_NOT_FOUND = 127,
    UNO_EXIT_SIGNAL = 128, /* + the signal's number */
};

struct uno_launch {
    int n;
    char **argv;            /* program and arguments */
    bool tag;               /* mark each line with its PE */
    bool bind;              /* each PE to one processor */
    double timeout;         /* seconds; 0: none */
    const char *out;        /* folder for a file per PE; NULL: none */
    bool stats;             /* what was done and waited for, at the end: as a table */
    const char *stats_file; /* as JSON into this file; NULL: none */
    const char *trace;      /* a timeline into this file; NULL: none */
};

/* Run the job. Returns the exit status; or does not return, ended by the signal that ended the job. */
int uno_launch(const struct uno_launch *launch);

#endif
