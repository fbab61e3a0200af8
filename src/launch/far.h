/* The job's memory in a job on several machines: what is told to the other nodes, and taken in from them. */

#ifndef UNO_LAUNCH_FAR_H
#define UNO_LAUNCH_FAR_H

#include "run.h"

/* Write the memory of the nodes into the job's, which is zeros. */
void uno_far_describe(const struct uno_node *node, struct uno_job *job);

/* Tell the others of a failure that has been recorded in the job, and of the addresses of this node's PEs, as
 * far as they do not know them. Does nothing in a job on one machine. */
void uno_far_look(struct uno_run *run);

/* Take in the address of a PE of another node. */
void uno_far_hear(struct uno_run *run, int k, const char *address, size_t bytes);

#endif
