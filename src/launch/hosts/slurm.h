/* The nodes of a Slurm allocation. */

#ifndef UNO_SLURM_H
#define UNO_SLURM_H

#include "list.h"

/* Add the nodes of the allocation in which this process runs, with their processors as slots. Returns false,
 * and the reason in `error`, if there is none. */
bool uno_slurm_add(struct uno_hosts *hosts, char error[UNO_LIST_ERROR]);

/* Mark the hosts that are nodes of the allocation, if this process runs in one. */
void uno_slurm_mark(struct uno_hosts *hosts);

#endif
