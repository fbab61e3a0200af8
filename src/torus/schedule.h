/* Schedules of an all-to-all: in each of as many phases as there are PEs, every PE sends to one PE, and
 * receives from one; over all phases it has sent to each once. */

#ifndef UNO_TORUS_SCHEDULE_H
#define UNO_TORUS_SCHEDULE_H

#include <stdbool.h>

#include "torus.h"

struct uno_torus_schedule {
    const char *name, *what;
    bool power_of_2; /* it needs that many PEs */
    int (*to)(const struct uno_torus *t, int phase, int pe);
};

extern const struct uno_torus_schedule uno_torus_schedules[];
extern const int uno_torus_schedule_count;

/* The one of this name, or NULL. */
const struct uno_torus_schedule *uno_torus_schedule_named(const char *name);

#endif
