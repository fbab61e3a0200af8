/* What comes: it is given to the receive that asks for it, or kept. Nothing here waits. */

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

/* A message of this PE to itself. */
void uno_channel_send_self(const struct uno_sending *s);

#endif
