/* The watch over a running job until its end. */

#ifndef UNO_WATCH_H
#define UNO_WATCH_H

#include "run.h"

/* Set up the watch, before the first process starts. Returns 0 or -errno. */
int uno_watch_open(struct uno_run *run);

/* Do everything that is due now, without waiting. */
void uno_watch_step(struct uno_run *run);

/* Watch until all processes have ended. Returns the exit status, unless run->signal says that the launcher
 * has to end by that signal. */
int uno_watch(struct uno_run *run);

/* Return true, after that, if a further signal to end the launcher has come. */
bool uno_watch_interrupted(struct uno_run *run);

#endif
