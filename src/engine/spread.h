/* PEs that stand too close: Linux leaves those that give a processor away to each other where they are, for
 * tenths of a second, even if another processor is idle, presumably since none of them is off the processor
 * for long enough to count as cold (migration_cost_ns). All PEs of a job often are on one processor at its
 * beginning, as whoever wakes a PE draws it to itself. */

#ifndef UNO_SPREAD_H
#define UNO_SPREAD_H

#include "pe.h"

/* To be called now and then by a PE that gives its processor away. If more than their share of the job's PEs
 * are on it, and nobody else wants the others, this one goes to that where the fewest are. It is not bound
 * there. here: the number of its processor. */
void uno_spread(struct uno_pe *pe, uint32_t here);

#endif
