/* --trace: the recorded calls of a job in its timeline, with arrows from each message sent to the call that
 * received it, and from the rank that came last to a collective to those that have waited for it. */

#ifndef UNO_TIMELINE_H
#define UNO_TIMELINE_H

#include "calls.h"

/* Let the ranks of the memory append their events to a file, which this process has open. */
void uno_timeline_ask(struct uno_seen_share *share, int file);

/* The tracks of a timeline, and the progress of writing it. */
struct uno_timeline {
    const int *process, *thread; /* the track of each rank */
    uint64_t began;              /* CLOCK_MONOTONIC ns, at which the timeline begins */
    bool (*step)(void *argument, double share);
    void *argument;
    /* after writing: the calls that are in it, and events that could not be written, or found no room in the
     * file */
    uint64_t written, lost;
    bool full, stopped; /* stopped: `step` ended it early */
};

/* Write the events of all ranks, which have ended. Returns 0 or an errno; what could be written is there
 * then. */
int uno_timeline_write(FILE *f, struct uno_timeline *timeline, const struct uno_calls *calls, int file);

/* Write a text within quotation marks of JSON. */
void uno_timeline_text(FILE *f, const char *text);

#endif
