/* A running job, looked at many times a second: how often each PE waited, and for whom. */

#ifndef UNO_TOP_SAMPLE_H
#define UNO_TOP_SAMPLE_H

#include "cli/common/jobs.h"
#include "places.h"

/* An interval of looks. */
struct top_interval {
    uint64_t looks;
    struct top_counts {
        uint64_t waiting,
            awaited; /* looks that found the PE waiting, and PEs that they found waiting for it */
    } * pe;
};

struct top {
    const struct found *found;
    int n;
    struct uno_place *place;   /* of each PE, as last seen */
    struct top_places *places; /* NULL: the job does not record its calls */
    /* the one that goes on, the last one that is over, which is shown, and all that are over */
    struct top_interval now, last, all;
};

/* Return false if memory is short. */
bool top_open(struct top *top, const struct found *found);
void top_close(struct top *top);

/* Look at the job once. Return false if memory is short. */
bool top_look(struct top *top);

/* End the interval, and begin the next one. */
void top_end(struct top *top);

/* Return the share of the time that PE k has waited, and how many PEs have waited for it, on average. */
double top_waiting(const struct top_interval *interval, int k);
double top_awaited(const struct top_interval *interval, int k);

#endif
