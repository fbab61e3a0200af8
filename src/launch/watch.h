/* The watch over a running job until its end. */

#ifndef UNO_WATCH_H
#define UNO_WATCH_H

#include "run.h"

struct uno_report_far;

/* Set up the watch, before the first process starts. Returns 0 or -errno. */
int uno_watch_open(struct uno_run *run);

/* Write where the PEs are; far: as of uno_report. last: the job is to end: its processes may be stopped. The
 * caller restores the header before (uno_job_restore). */
void uno_watch_places(FILE *f, const struct uno_run *run, bool last, const struct uno_report_far *far);

/* Look now for a deadlock, in a job on several machines: what is seen is told to the others. */
void uno_watch_look(struct uno_run *run);

/* Do everything that is due now, without waiting. */
void uno_watch_step(struct uno_run *run);

/* End the job by this signal. heard: the PEs have received it already. A second one kills. */
void uno_watch_end(struct uno_run *run, int signal_number, bool heard);

/* Watch until all processes have ended. Returns the exit status, unless run->signal says that the launcher
 * has to end by that signal. */
int uno_watch(struct uno_run *run);

/* Return true, after that, if a further signal to end the launcher has come. */
bool uno_watch_interrupted(void *run);

#endif
