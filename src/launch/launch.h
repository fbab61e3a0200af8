/* The launcher: starts the processes of a job, passes on their output, and stays until all have ended. */

#ifndef UNO_LAUNCH_H
#define UNO_LAUNCH_H

#include "request.h"

/* Run the job. Returns the exit status; or does not return, ended by the signal that ended the job. */
int uno_launch(const struct uno_launch *launch);

#endif
