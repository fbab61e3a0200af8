/* What comes, in the lines of the rings to this PE. Nothing here waits. */

#ifndef UNO_CHANNEL_INCOMING_H
#define UNO_CHANNEL_INCOMING_H

#include "engine/channel/link/link.h"

/* Take in what has come from PE k; at most up to the end of the message that channel->reading waits for, or
 * that is coming. Whether anything had. */
bool uno_channel_take_in(struct uno_channel *channel, int k);

/* The same from all. */
bool uno_channel_take_in_all(struct uno_channel *channel);

/* Take in the short messages that have come from the PE that this receive, which is not posted yet, asks for,
 * as long as posted receives get them, and the one that it gets itself. Whether there was that. */
bool uno_channel_take_asked(struct uno_channel *channel, struct uno_receive *receive);

#endif
