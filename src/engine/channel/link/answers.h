/* Messages whose sender is told when a receive of theirs has begun, or their data have been copied (send.h).
 * Both ends count such messages, which come in the order in which they were sent: so a message has its number
 * without carrying one, and what comes back, once it is matched, is a line with that number. */

#ifndef UNO_CHANNEL_ANSWERS_H
#define UNO_CHANNEL_ANSWERS_H

#include "link.h"

/* The sender, before it sends a message of this word to PE k: `answer` will be done when the message is
 * matched. It must stay where it is until then. */
void uno_channel_expect_answer(struct uno_channel *channel, int k, uint64_t word, struct uno_receive *answer);

/* The reader, when a message of this word begins to come from PE k: its number, or 0 if it asks for nothing.
 */
static inline uint64_t uno_channel_answer_number(struct uno_channel *channel, int k, uint64_t word) {
    return word & UNO_WORD_ASKS ? ++channel->link[k].heard : 0;
}

/* The reader, when that message is matched; number: as above. */
void uno_channel_send_answer(struct uno_channel *channel, int k, uint64_t number);

static inline void uno_channel_answer(struct uno_channel *channel, int k, uint64_t number) {
    if (UNO_UNLIKELY(number != 0))
        uno_channel_send_answer(channel, k, number);
}

/* The sender, when the answer has come. */
void uno_channel_take_answer(struct uno_channel *channel, int k, uint64_t number);

#endif
