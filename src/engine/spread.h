/* PEs that stand too close: Linux leaves those that give a processor away to each other where they are, for
 * tenths of a second, even if another processor is idle, presumably since none of them is off the processor
 * for long enough to count as cold (migration_cost_ns). All PEs of a job often are on one processor at its
 * beginning, as a process that wakes a PE draws it to its own processor. */

#ifndef UNO_SPREAD_H
#define UNO_SPREAD_H

#include "pe.h"

/* Move this PE to the processor with the fewest PEs if more than their share of the job's PEs are on the
 * present one, and no other program wants the others. It is not bound there. A PE that gives its processor
 * away calls this now and then. here: the number of its processor. */
void uno_spread(struct uno_pe *pe, uint32_t here);

#endif
