/* Messages that come by the extended protocol, and go where they were requested. */

#ifndef UNO_CHANNEL_AGREED_H
#define UNO_CHANNEL_AGREED_H

#include "engine/channel/link/link.h"

/* Return the place where the next agreed message from PE k goes; it is an error unless that has been
 * requested, with this length. uno_channel_agreed_done ends the request, when the message has come. */
void *uno_channel_agreed_place(struct uno_channel *channel, int k, size_t bytes);
void uno_channel_agreed_done(struct uno_channel *channel, int k);

#endif
