/* The heartbeat of a link. Each side says ALIVE at regular times, and takes the other one for gone if it has
 * heard nothing for a while: a stream whose network is cut tells neither of them anything.
 *
 * A side counts its own beats since it has last heard something, and not the time: while its machine sleeps,
 * or a debugger holds it, it would hear nothing, and does not count. */

#ifndef UNO_HOSTS_PULSE_H
#define UNO_HOSTS_PULSE_H

#include "frames.h"

/* Begin to beat, so that the other side is known to be gone when it has been silent for two thirds of this
 * time or more, and before five sixths of it are over, which leaves a rest in which PEs can end. Returns a
 * descriptor that becomes readable for each beat, or -1: there is no timer, or it is 0 ns, and nobody is
 * gone.
 */
int uno_pulse_open(uint64_t ns);

/* Return true if it is time for a beat. */
bool uno_pulse_due(int timer);

/* Say that this side is there. Returns false if the other one has been silent for too long. */
bool uno_pulse_beat(struct uno_link *link);

#endif
