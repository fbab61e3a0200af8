/* Messages that are kept until a receive asks for them, of which some are offered (send.h): their data are
 * still at their senders. Nothing here waits. */

#ifndef UNO_CHANNEL_KEPT_H
#define UNO_CHANNEL_KEPT_H

#include "engine/channel/link/link.h"

/* The data of an offered message come here, which no receive has asked for. */
void uno_channel_fetch(struct uno_channel *channel, struct uno_message *m);

/* Copy the data of kept messages that are still at their senders, which may wait for that. Whether there were
 * any. */
bool uno_channel_fetch_offered(struct uno_channel *channel);

/* Take a kept message out, which no receive will get now but the one that it is given to. */
void uno_channel_take_out(struct uno_channel *channel, struct uno_message *m);

/* Give it to that receive. One that is still coming will go on there. */
void uno_channel_give(struct uno_channel *channel, struct uno_message *m, struct uno_receive *receive);

/* Give an offered message, whose data nothing has begun to copy, to a receive that is being posted, but not
 * yet: posting copies nothing, and what this PE sends behind it goes on its way first, so that both of two
 * PEs copy at the same time. It is given by the next look of this PE, or by uno_channel_give_next, which
 * tells whether there was one. */
void uno_channel_give_later(struct uno_channel *channel, struct uno_message *m, struct uno_receive *receive);
bool uno_channel_give_next(struct uno_channel *channel);

#endif
