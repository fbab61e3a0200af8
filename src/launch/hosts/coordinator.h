/* A job on several machines, as the process sees it that the user has started. */

#ifndef UNO_COORDINATOR_H
#define UNO_COORDINATOR_H

#include "wishes.h"

/* Run the job: start an agent on each node, speak with them to the end, and return the exit status. */
int uno_coordinate(const struct uno_far_launch *far);

#endif
