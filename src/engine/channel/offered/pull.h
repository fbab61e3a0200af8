/* The reader of an offered message (send.h) copies the data straight from the sender's memory. It asks for
 * data that it may not reach, and the sender's side of that is here, too: pieces, in the order in which they
 * were asked for, through the pool. Nothing here waits. */

#ifndef UNO_CHANNEL_PULL_H
#define UNO_CHANNEL_PULL_H

#include "engine/channel/link/link.h"

/* The reader: a message of PE k, which lies at that address there, goes to this receive, whose envelope is
 * the message's. number: of its answer. */
void uno_pull(struct uno_channel *channel, int k, struct uno_receive *receive, uint64_t at, size_t bytes,
              uint64_t number);

/* The reader: what may not be reached goes to a receive that nobody has asked for, or that has been handed
 * on. */
void uno_pull_request(struct uno_channel *channel, int k, struct uno_receive *receive, uint64_t number);

/* The reader: what comes to `from` goes to this receive, and what has come already. */
void uno_pull_hand_on(struct uno_channel *channel, int k, const struct uno_receive *from,
                      struct uno_receive *receive);

#endif
