/* The lines that come in the rings to this PE, and how it takes them in. Nothing here waits. */

#ifndef UNO_CHANNEL_INCOMING_H
#define UNO_CHANNEL_INCOMING_H

#include "engine/channel/link/link.h"

/* Take in the lines that have come from PE k, at most up to the end of the message that channel->reading
 * waits for, or that is coming. Returns true if any had come. */
bool uno_channel_take_in(struct uno_channel *channel, int k);

/* Take in the lines that have come from all PEs, within the same bounds. */
bool uno_channel_take_in_all(struct uno_channel *channel);

/* Take in the short messages that have come from the PE that this receive, which is not posted yet, asks for,
 * as long as posted receives get them, and the one that it gets itself. Returns true if that one was
 * there. */
bool uno_channel_take_asked(struct uno_channel *channel, struct uno_receive *receive);

#endif
