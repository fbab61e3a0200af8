/* Where each PE of a job is, read from the job's memory while it runs. */

#ifndef UNO_REPORT_H
#define UNO_REPORT_H

#include <stdio.h>
#include <sys/types.h>

#include "engine/job.h"

/* What one PE's board shows. */
struct uno_place {
    const char *state;         /* "waiting", "running" ... */
    pid_t pid;                 /* 0: not known */
    unsigned signature;        /* of the operation that the PE is in, or was in last; 0: none */
    uint64_t group[UNO_WORDS]; /* likewise */
    bool waits;                /* it is in that operation */
    uint64_t waited;           /* for so long, ns; 0: not known, or not for long */
    int missing;               /* how many members of the group it waits for */
    uint64_t missing_mask[UNO_WORDS];
};

/* Look where the PEs are: an array to be freed, or NULL if there is no memory. Only reads the job.
 * process: the process of each PE, 0 where it has ended or is still to be started; NULL if known only for
 * those that have checked in. */
struct uno_place *uno_places(struct uno_job *job, const pid_t *process);

/* Write a line for each PE: what it does or where it waits, for how long, and which PEs are missing there. */
void uno_report(FILE *f, struct uno_job *job, const pid_t *process);

#endif
