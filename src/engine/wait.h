/* How a PE waits for another: spin, give the processor away, and after a while sleep. */

#ifndef UNO_WAIT_H
#define UNO_WAIT_H

#include "pe.h"

struct uno_wait {
    uint64_t began; /* CLOCK_MONOTONIC ns at the first look at the clock; 0 before */
    unsigned steps;
    bool yields; /* past spinning */
    bool left;   /* the PE waited for has left; what it posted before is visible */
};

/* To be called each time PE k was looked at and has not arrived. header: what changes when it does, and the
 * value seen; NULL if nothing is to be slept on. Sets wait->left; ends the process if the job has failed. */
void uno_wait_step(struct uno_pe *pe, struct uno_wait *wait, int k, unsigned signature, uno_atomic64 *header,
                   uint64_t seen);

/* To be called once PE k has arrived. */
void uno_wait_end(struct uno_pe *pe, const struct uno_wait *wait);

/* Wake the PEs that sleep on this header. */
void uno_wake(uno_atomic64 *header);

/* To be called once in each process that waits: see uno_wait_step's sleep. */
void uno_wait_start(void);

#endif
