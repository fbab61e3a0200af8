/* How a PE waits for room: in rings, which are its readers' to empty, or in its own pool. */

#ifndef UNO_CHANNEL_ROOM_H
#define UNO_CHANNEL_ROOM_H

#include "engine/channel/link/link.h"
#include "engine/wait.h"

/* Put a line of the message into the ring, or where there is no room queue it. May wait. */
void uno_channel_put_or_queue(const struct uno_sending *s, const struct uno_put *line);

/* One step of waiting until others have taken in what this PE wrote; wait->k has to most of all. */
void uno_channel_wait_for_reader(struct uno_channel *channel, struct uno_wait *wait, int tag);

/* Wait until nothing is queued. */
void uno_channel_flush(struct uno_channel *channel, unsigned signature);

#endif
