/* What comes by the extended protocol: to where it was requested. */

#ifndef UNO_CHANNEL_AGREED_H
#define UNO_CHANNEL_AGREED_H

#include "engine/channel/link/link.h"

/* Where the next agreed message from PE k goes; ends with an error unless it has been requested, with this
 * length. And: it has come. */
void *uno_channel_agreed_place(struct uno_channel *channel, int k, size_t bytes);
void uno_channel_agreed_done(struct uno_channel *channel, int k);

#endif
