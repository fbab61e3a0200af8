/* The memory of a job, as its launcher makes it. */

#ifndef UNO_MEMORY_H
#define UNO_MEMORY_H

#include "run.h"

/* Make the job's memory, and describe the job in its header. Returns 0, or an exit status after a message. */
int uno_memory_make(struct uno_run *run);

#endif
