/* Where each PE of a job is, read from the job's memory while it runs. */

#ifndef UNO_REPORT_H
#define UNO_REPORT_H

#include <stdio.h>
#include <sys/types.h>

#include "engine/job.h"

/* Write a line for each PE: what it does or where it waits, for how long, and which PEs are missing there.
 * process: the process of each PE, 0 where it has ended or is still to be started; NULL if known only for
 * those that have checked in.
 */
void uno_report(FILE *f, struct uno_job *job, const pid_t *process);

#endif
