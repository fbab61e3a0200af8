/* The schedule of meetings: at every step a partition of the PEs into groups, the same for the same seed. */

#ifndef TEST_SCHEDULE_H
#define TEST_SCHEDULE_H

#include "harness.h"

enum { IDLE = -1 };

struct schedule {
    uint64_t seed;
    int n;
    long step;
    int hold;                /* steps for which the present groups still stand */
    int group[TEST_MAX_PES]; /* of each PE: its group, named by its lowest member; or IDLE */
    int groups;              /* with at least 2 members, or in a job of one PE 1 */
    int alone;               /* groups of 1 member */
    int members;             /* PEs that are not idle */
};

void schedule_start(struct schedule *s, uint64_t seed, int n);
void schedule_next(struct schedule *s);

#endif
