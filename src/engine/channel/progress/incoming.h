/* The lines that come in the rings to this PE, and how it takes them in. Nothing here waits. */

#ifndef UNO_CHANNEL_INCOMING_H
#define UNO_CHANNEL_INCOMING_H

#include "engine/channel/link/link.h"

/* Take in what has come from other nodes: messages go to the receives that ask for them, or into the rings.
 * Returns true if a message went to a receive. */
bool uno_channel_hear(struct uno_channel *channel);

/* Find the PEs whose rings to this one may have lines: neighbours that have ever written, and PEs of other
 * nodes from which lines have come that were not taken. */
void uno_channel_writers(const struct uno_channel *channel, uint64_t writers[UNO_WORDS]);

/* Take in the lines that have come from PE k, at most up to the end of the message that channel->reading
 * waits for, or that is coming. Returns true if any message had come. */
bool uno_channel_take_in(struct uno_channel *channel, int k);

/* Take in the lines that have come from all PEs, within the same bounds. */
bool uno_channel_take_in_all(struct uno_channel *channel);

/* Take in the short messages that have come from the PE that this receive, which is not posted yet, asks for,
 * as long as posted receives get them, and the one that it gets itself. Returns true if that one was
 * there. */
bool uno_channel_take_asked(struct uno_channel *channel, struct uno_receive *receive);

#endif
