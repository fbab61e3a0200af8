/* The process of a simulated unit, beside those of the PEs. */

#ifndef UNO_LAUNCH_HARDWARE_H
#define UNO_LAUNCH_HARDWARE_H

#include "run.h"

/* Write into the job's memory, where there are ports, how fast they and the unit are. */
void uno_hardware_describe(struct uno_run *run);

/* Start it, before the PEs. Returns 0 or -errno. */
int uno_hardware_start(struct uno_run *run);

/* Say, once the job is over, which operations the unit has not carried. */
void uno_hardware_say(struct uno_run *run);

/* The clocks of the unit that a port operation takes; 0: the user's figures go beyond what can be. */
int uno_hardware_clocks(const struct uno_launch *launch);

#endif
