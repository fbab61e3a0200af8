/* Messages between PEs: from any to any, of any length, received in the order in which they were sent, by
 * source and tag or by any. The faces above (vertex.h) give it names and rules of their own.
 *
 * A short message lies in the lines of a ring (ring.h). A longer one is cut into pieces: the sender copies
 * each into a buffer of its pool, which all PEs can reach, and a line of the ring names it; the receiver
 * copies it to where it belongs, while the sender goes on with the next. When the ring has come round, the
 * buffer is free again. So nothing has to be acknowledged. A long message is copied once instead, from one
 * process to the other, by both ends if both wait (share.h), or by its reader if its sender goes on
 * (send.h).
 *
 * What finds the ring full is queued by the sender; what would exceed the pool makes the sender wait.
 * Whoever waits takes in everything that has come for it, into memory of its own: so every ring is emptied as
 * long as its reader is in any call, and senders never wait for each other in a circle.
 *
 * The rooms stand on each other: ring/, what lies in the memory that all share; link/, what a PE knows of
 * each other one: lines and messages, out and in; offered/, messages that stay at their senders; progress/,
 * which takes in and waits; then the protocols, each with its writer's half and its reader's: eager/, shared/
 * and extended/; and the files here: send, receive, and this one, which is what faces include, with the table
 * by which progress/ hands each line to its protocol. A message that is being sent goes from one to the other
 * as a struct uno_sending, and each line of it as a struct uno_put. */

#ifndef UNO_CHANNEL_H
#define UNO_CHANNEL_H

#include "extended/extended.h"
#include "link/answers.h"
#include "link/link.h"
#include "progress/progress.h"
#include "receive.h"
#include "send.h"

/* Return the PE's channel, which is made at the first call. */
struct uno_channel *uno_channel_start(struct uno_pe *pe);

static inline struct uno_channel *uno_channel_of(struct uno_pe *pe) {
    return UNO_LIKELY(pe->channel != NULL) ? pe->channel : uno_channel_start(pe);
}

/* Deliver the queued messages, and free the channel, before the PE leaves. */
void uno_channel_end(struct uno_pe *pe);

/* Send a message in the way that nearly all within a node go: in one line, for which there is room. Returns
 * false, and has sent nothing, if this one must go another way. */
static inline __attribute__((always_inline)) bool uno_channel_send_kind(struct uno_channel *channel, int k,
                                                                        unsigned kind, uint64_t word,
                                                                        const void *data, size_t bytes) {
    struct uno_link *link = uno_link_once(channel, k);
    if (UNO_UNLIKELY(bytes > UNO_RING_FIRST || link->first || !link->plain || !uno_ring_room(&link->out, 1)))
        return false;
    uno_ring_put_line(&link->out, kind, word, data, bytes);
    uno_bell_ring(link->bell, &link->rung);
    return true;
}
static inline __attribute__((always_inline)) bool
uno_channel_send_line(struct uno_channel *channel, int k, uint64_t word, const void *data, size_t bytes) {
    return uno_channel_send_kind(channel, k, UNO_KIND_SHORT, word, data, bytes);
}

/* Send a message to PE k, which may be this one. Returns when data may be changed. */
static inline void uno_channel_send(struct uno_channel *channel, int k, uint64_t word, const void *data,
                                    size_t bytes, unsigned signature) {
    if (UNO_UNLIKELY(!uno_channel_send_line(channel, k, word, data, bytes)))
        uno_channel_send_slowly(channel, k, word, data, bytes, signature);
}

/* The operation that a PE waits in while it sends, and the message's mark. */
#define UNO_SIGNATURE_MARKED(signature, mark) ((unsigned)(signature) | (unsigned)(mark) << 16)

/* Send a message likewise, with a mark of 16 bits, which is not compared with anything: the receive that gets
 * the message has it. */
static inline void uno_channel_send_marked(struct uno_channel *channel, int k, uint64_t word,
                                           const void *data, size_t bytes, unsigned mark,
                                           unsigned signature) {
    signature = UNO_SIGNATURE_MARKED(signature, mark);
    if (UNO_UNLIKELY(!uno_channel_send_kind(channel, k, UNO_KIND_SHORT | uno_signature_mark(signature), word,
                                            data, bytes)))
        uno_channel_send_slowly(channel, k, word, data, bytes, signature);
}

/* The same as without, and *answer is done when a receive has begun that gets the message. It must stay where
 * it is until then; uno_channel_finish waits for it. */
static inline void uno_channel_send_asking(struct uno_channel *channel, int k, uint64_t word,
                                           const void *data, size_t bytes, struct uno_receive *answer,
                                           unsigned signature) {
    uno_channel_expect_answer(channel, k, word, answer);
    uno_channel_send(channel, k, word | UNO_WORD_ASKS, data, bytes, signature);
}

#endif
