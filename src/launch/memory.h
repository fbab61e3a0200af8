/* The memory of a job, as its launcher makes it. */

#ifndef UNO_MEMORY_H
#define UNO_MEMORY_H

#include "run.h"

/* Make the job's memory, and describe the job in its header. Returns 0, or an exit status after a message. */
int uno_memory_make(struct uno_run *run);

/* Describe the job in its header, for observers outside the job, and its beginning. command: the process by
 * which users know it. */
void uno_memory_describe(struct uno_job *job, const struct uno_launch *launch, pid_t command);

#endif
