/* The frames of agents, and what the coordinator does then. */

#ifndef UNO_HEAR_H
#define UNO_HEAR_H

#include "coordination.h"

/* Do what a frame of this node's agent says. Returns false if it makes no sense. */
bool uno_hear(struct uno_coordinator *c, int node, const struct uno_frame *frame);

/* Ask all agents where their PEs are; and with a verdict to end them, after a report with this title. */
void uno_hear_places(struct uno_coordinator *c);
void uno_hear_last_places(struct uno_coordinator *c, int verdict, char *title);

/* Show the report if all have answered, or have had the time to. */
void uno_hear_report(struct uno_coordinator *c);

#endif
