/* A job on several machines, as the process sees it that the user has started. */

#ifndef UNO_COORDINATOR_H
#define UNO_COORDINATOR_H

#include "job.h"

/* The user's wishes for how agents are started, and how they talk. */
struct uno_far_launch {
    const struct uno_launch
        *launch; /* its parts have the settings of the command line as their environments */
    struct uno_hosts *hosts;
    struct uno_wishes wishes;
    const char *rsh;  /* words of the command that starts an agent on another host; NULL: ssh's */
    const char *self; /* the path of this program */
    double patience;  /* seconds for the start of all agents */
};

/* Run the job: start an agent on each node, speak with them to the end, and return the exit status. */
int uno_coordinate(const struct uno_far_launch *far);

#endif
