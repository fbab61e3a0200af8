/* The frames of agents, and what the coordinator does then. */

#ifndef UNO_HEAR_H
#define UNO_HEAR_H

#include "coordination.h"

/* Do what a frame of this node's agent says. Returns false if it makes no sense. */
bool uno_hear(struct uno_coordinator *c, int node, const struct uno_frame *frame);

/* Ask all agents where their PEs are; ends: and to end them. */
void uno_hear_places(struct uno_coordinator *c, bool ends);

/* Show the report if all have answered, or have had the time to. */
void uno_hear_report(struct uno_coordinator *c);

#endif
