/* The records of the PEs of a job, when all have ended. */

#ifndef UNO_RECORDED_H
#define UNO_RECORDED_H

#include "engine/job.h"
#include "request.h"

struct uno_calls;

/* The clock of a node, CLOCK_MONOTONIC: so many ns are added to it for this process's, give or take an error.
 */
struct uno_seats_clock {
    int64_t ahead;
    uint64_t error; /* UINT64_MAX: the clock is not known, and nothing is added */
};

/* The nodes of a job on several machines. */
struct uno_seats {
    int count;
    char (*name)[UNO_HOST_NAME];         /* of each node */
    const int32_t *seat;                 /* the node of each PE */
    const struct uno_seats_clock *clock; /* of each node, in a job with a timeline */
};

struct uno_recorded {
    struct uno_job *job;           /* the memory with the records (engine/observe.h) */
    struct uno_calls *calls;       /* NULL: no call was recorded */
    uint64_t over;                 /* the job's end, CLOCK_MONOTONIC ns */
    const struct uno_seats *seats; /* NULL: the job was on one machine */
};

/* Return the name of PE k's node; NULL: the job was on one machine. */
static inline const char *uno_seats_host(const struct uno_seats *seats, int k) {
    return seats ? seats->name[seats->seat[k]] : NULL;
}

#endif
