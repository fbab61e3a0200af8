/* Messages that ask for an answer: the reader tells the sender when it has matched such a message, or copied
 * its data (send.h). Both ends count these messages, which come in the order in which they were sent, so that
 * a message has a number without carrying it. The answer is a line with that number. */

#ifndef UNO_CHANNEL_ANSWERS_H
#define UNO_CHANNEL_ANSWERS_H

#include "link.h"

/* The sender calls this before it sends a message of this word to PE k: `answer` will be done when the
 * message is matched. It must stay where it is until then. */
void uno_channel_expect_answer(struct uno_channel *channel, int k, uint64_t word, struct uno_receive *answer);

/* The reader calls this when a message of this word begins to come from PE k. Returns the message's number,
 * or 0 if it asks for no answer. */
static inline uint64_t uno_channel_answer_number(struct uno_channel *channel, int k, uint64_t word) {
    return word & UNO_WORD_ASKS ? ++channel->link[k].heard : 0;
}

/* The reader calls this when that message is matched, with the number that it has. */
void uno_channel_send_answer(struct uno_channel *channel, int k, uint64_t number);

static inline void uno_channel_answer(struct uno_channel *channel, int k, uint64_t number) {
    if (UNO_UNLIKELY(number != 0))
        uno_channel_send_answer(channel, k, number);
}

/* The sender calls this when the answer with that number has come. */
void uno_channel_take_answer(struct uno_channel *channel, int k, uint64_t number);

#endif
