/* Messages that are kept until a receive asks for them, of which some are offered (send.h): their data are
 * still at their senders. Nothing here waits. */

#ifndef UNO_CHANNEL_KEPT_H
#define UNO_CHANNEL_KEPT_H

#include "engine/channel/link/link.h"

/* Copy the data of an offered message, which no receive has asked for, to this PE, unless that has begun. */
void uno_channel_fetch(struct uno_channel *channel, struct uno_message *m);

/* Copy the data of kept messages that are still at their senders, which may wait for that. Return true if
 * there were any. */
bool uno_channel_fetch_offered(struct uno_channel *channel);

/* Take a kept message out of the table: only the receive to which it is given will get it. */
void uno_channel_take_out(struct uno_channel *channel, struct uno_message *m);

/* Give a message that was taken out to a receive. The rest of a message that is still coming goes there. */
void uno_channel_give(struct uno_channel *channel, struct uno_message *m, struct uno_receive *receive);

/* Have an offered message, whose data nothing has begun to copy, given later to a receive that is being
 * posted. Posting copies nothing, and messages that this PE sends next go on their way first, so that both of
 * two PEs copy at the same time. The message is given by the next look of this PE, or by
 * uno_channel_give_next, which returns true if there was one. */
void uno_channel_give_later(struct uno_channel *channel, struct uno_message *m, struct uno_receive *receive);
bool uno_channel_give_next(struct uno_channel *channel);

#endif
