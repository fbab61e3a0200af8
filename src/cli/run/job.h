/* What unisono run and unisono mpirun have in common: from the command line to the end of the job. */

#ifndef UNO_CLI_JOB_H
#define UNO_CLI_JOB_H

#include "launch/request.h"

struct job {
    struct uno_launch launch;
    const char *html; /* a page with the figures into this file; NULL: none */
    bool debug;       /* PEs under gdb: */
    const char *pes;  /* which; NULL: all */
};

/* The argument of --timeout: a number of seconds, of which 30 years are the most. False: it is none. */
bool job_timeout(struct job *job, const char *text);

/* Run the job to its end, once the parts have been named. command: begins messages, "unisono run". Returns
 * the exit status. */
int job_run(struct job *job, const char *command);

#endif
