/* Receives of standard messages. */

#ifndef UNO_CHANNEL_RECEIVE_H
#define UNO_CHANNEL_RECEIVE_H

#include "link/link.h"

/* Receive a message, which the envelope of `receive` asks for, into receive->data: waits for it. One that is
 * longer than receive->room is cut; receive->bytes is its whole length. */
void uno_channel_receive(struct uno_channel *channel, struct uno_receive *receive, unsigned signature);

/* The same without waiting: it is done when receive->done is set, which happens while this PE is in any
 * function here. Until then, *receive must stay where it is. */
void uno_channel_post(struct uno_channel *channel, struct uno_receive *receive);

/* Take a posted receive back. Whether it could: false if it is done, or its message is coming. */
bool uno_channel_cancel(struct uno_channel *channel, struct uno_receive *receive);

/* Wait until a posted receive is done. */
void uno_channel_finish(struct uno_channel *channel, struct uno_receive *receive, unsigned signature);

/* Wait for all answers to this PE's messages. */
void uno_channel_await_answers(struct uno_channel *channel, unsigned signature);

/* The message that such a receive would get now, of which all is there or still coming; or NULL. */
const struct uno_message *uno_channel_probe(struct uno_channel *channel, const struct uno_envelope *asked);

/* The same, taken out: no receive gets it but the one that it is given to, by the second function, which is
 * as uno_channel_post for it. Every message that is taken out has to be given to one. */
struct uno_message *uno_channel_take_message(struct uno_channel *channel, const struct uno_envelope *asked);
void uno_channel_receive_message(struct uno_channel *channel, struct uno_message *m,
                                 struct uno_receive *receive);

/* The message of the function before those, once there is one: waits for it. */
const struct uno_message *uno_channel_await_message(struct uno_channel *channel,
                                                    const struct uno_envelope *asked, unsigned signature);

#endif
