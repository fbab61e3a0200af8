/* The events of a timeline, which a rank collects in its part of the memory, and appends to the job's file a
 * chunk at a time. */

#ifndef UNO_SEEN_EVENTS_H
#define UNO_SEEN_EVENTS_H

#include "engine/environment.h"
#include "memory.h"

/* Where a rank's events go. */
struct uno_seen_trace {
    struct uno_seen_memory *memory;
    struct uno_seen_rank *own;
    int me;
    struct uno_handed handed; /* the job's file of events */
    int file;                 /* a descriptor of it; -1: none are recorded */
};

/* Begin, if the memory asks for events, and its file can be opened. */
void uno_seen_trace_begin(struct uno_seen_trace *trace, struct uno_seen_memory *memory, int me);
void uno_seen_trace_end(struct uno_seen_trace *trace);

/* Record an event. */
void uno_seen_event(struct uno_seen_trace *trace, struct uno_seen_event event);

#endif
