/* The output of PEs of other machines, and the standard input for PE 0. */

#ifndef UNO_MERGE_H
#define UNO_MERGE_H

#include "coordination.h"

/* Get ready. Returns false after a message. */
bool uno_merge_open(struct uno_coordinator *c);
void uno_merge_close(struct uno_coordinator *c);

/* Take in a frame of output of this node. */
void uno_merge_take(struct uno_coordinator *c, int node, const struct uno_frame *frame);

/* Let the agents go on writing as far as what they wrote was taken, and tell them what nobody reads. */
void uno_merge_step(struct uno_coordinator *c);

/* Return true if standard input is to be read now; and read it. */
bool uno_merge_wants_input(const struct uno_coordinator *c);
void uno_merge_input(struct uno_coordinator *c);

#endif
