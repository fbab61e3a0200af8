/* The coordinator's part in finding a deadlock. Agents tell when their PEs wait; when all do, the coordinator
 * asks for the facts (facts.h), twice.
 *
 * The first answers suffice if a PE that waits is set going by a packet alone. A program can break that, as
 * the handler of a signal does that leaves a wait by longjmp. If the second answers, which all come from
 * looks after all of the first, are the same, then there was a moment between them at which all PEs waited in
 * vain, as one look at a job on one machine would have found it. */

#ifndef UNO_QUIET_H
#define UNO_QUIET_H

#include "coordination.h"

/* Take in the frames of an agent, as of the table in hear.c. */
bool uno_quiet_hear(struct uno_coordinator *c, int node, const struct uno_frame *frame);
bool uno_quiet_hear_facts(struct uno_coordinator *c, int node, const struct uno_frame *frame);

/* Ask what is to be asked now. Returns NULL, or if no PE can ever go on whom each waits for, as of
 * uno_deadlock; to be freed. */
int *uno_quiet_step(struct uno_coordinator *c, uint64_t now);

/* Return the time at which the step is due; 0: when something has been heard. */
uint64_t uno_quiet_due(const struct uno_coordinator *c);

/* Free what was told. */
void uno_quiet_free(struct uno_coordinator *c);

#endif
