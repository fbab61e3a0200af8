/* The process of a simulated unit, beside those of the PEs. */

#ifndef UNO_LAUNCH_HARDWARE_H
#define UNO_LAUNCH_HARDWARE_H

#include "run.h"

/* Return true if the job is for the tiles of a mesh. */
bool uno_hardware_is_mesh(const struct uno_launch *launch);

/* Return the bytes of the ports in the job's memory, and of what is behind them; 0: there are none. */
size_t uno_hardware_size(const struct uno_launch *launch);

/* Write into the job's memory, where there are ports, how fast they and the unit are. */
void uno_hardware_describe(struct uno_run *run);

/* Start it, before the PEs. Returns 0 or -errno. */
int uno_hardware_start(struct uno_run *run);

/* Return false if something may come to a PE through a mesh. */
bool uno_hardware_still(const struct uno_run *run);

/* Say, once the job is over, which operations the unit has not carried. */
void uno_hardware_say(struct uno_run *run);

/* The clocks of the unit that a port operation takes; 0: the user's figures go beyond what can be. */
int uno_hardware_clocks(const struct uno_launch *launch);

#endif
