/* The coordinator's part in --stats and --trace: it gathers the records of all PEs into memories as those of
 * a job on one machine, and makes the reports of them. */

#ifndef UNO_GATHER_H
#define UNO_GATHER_H

#include "coordination.h"

/* Open the files, before the agents start. Returns false after a message. */
bool uno_gather_open(struct uno_coordinator *c);

/* The job has been told to the agents: it begins. */
void uno_gather_began(struct uno_coordinator *c);

/* Ask an agent that has greeted for the time, again and again. */
void uno_gather_greeted(struct uno_coordinator *c, int node);

/* Take in the frames of an agent, as of the table in hear.c. */
bool uno_gather_hear_clock(struct uno_coordinator *c, int node, const struct uno_frame *frame);
bool uno_gather_hear_events(struct uno_coordinator *c, int node, const struct uno_frame *frame);
bool uno_gather_hear_records(struct uno_coordinator *c, int node, const struct uno_frame *frame);
bool uno_gather_hear_record(struct uno_coordinator *c, int node, const struct uno_frame *frame);
bool uno_gather_hear_site(struct uno_coordinator *c, int node, const struct uno_frame *frame);

/* All agents have ended: sum up, and say the tables of --stats. */
void uno_gather_say(struct uno_coordinator *c);

/* Write the files, if the job has begun. Returns false after a message. interrupted: as of uno_records_write,
 * with the coordinator. */
bool uno_gather_write(struct uno_coordinator *c, bool (*interrupted)(void *c));

void uno_gather_close(struct uno_coordinator *c);

#endif
