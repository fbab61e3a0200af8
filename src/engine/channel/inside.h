/* What the files of the channel have between them. */

#ifndef UNO_CHANNEL_INSIDE_H
#define UNO_CHANNEL_INSIDE_H

#include <stdlib.h>

#include "channel.h"
#include "engine/fault.h"
#include "engine/signature.h"

/* send.c: put queued lines into the rings that have room. Whether any could be. */
bool uno_channel_deliver(struct uno_channel *channel);

/* send.c: find what readers have made free, of all that this PE may be waiting for: buffers, which
 * become free here, too; room in the ring that is being filled; the data of a message that both copy. */
void uno_channel_find_room(struct uno_channel *channel);

/* send.c: wait until nothing is queued. */
void uno_channel_flush(struct uno_channel *channel, unsigned signature);

/* send.c: put a line into the ring to PE k, or where there is no room queue it. */
void uno_channel_put_line(struct uno_channel *channel, int k, unsigned kind, uint64_t word, const void *data,
                          size_t bytes);

/* send.c: queue data of the program, to be sent in pieces without waiting. */
void uno_channel_queue_data(struct uno_channel *channel, int k, unsigned kind, uint64_t word,
                            const void *data, size_t bytes, struct uno_completion *completion);

/* send.c: put a line of a standard message into the ring, or where there is no room queue it. total:
 * bytes of the message. May wait. */
void uno_channel_put_or_queue(struct uno_channel *channel, int k, unsigned kind, uint64_t word,
                              const void *data, size_t bytes, size_t total, unsigned signature);

/* send.c: send these bytes of a message of `total` bytes in pieces, the first of which is of that
 * kind. May wait. */
void uno_channel_send_pieces(struct uno_channel *channel, int k, uint64_t word, const char *data,
                             size_t total, size_t done, size_t end, unsigned first, unsigned signature);

/* send.c: one step of waiting until others have taken in what this PE wrote. k: the one that matters
 * most. */
void uno_channel_wait_for_reader(struct uno_channel *channel, struct uno_wait *wait, int k, int tag,
                                 unsigned signature);

/* send.c: the first message to PE k: it is to look at this ring from now on. */
void uno_channel_become_known(struct uno_channel *channel, int k);

/* extended.c: where the next agreed message from PE k goes; ends with an error unless it has been
 * requested, with this length. And: it has come. */
void *uno_channel_agreed_place(struct uno_channel *channel, int k, size_t bytes);
void uno_channel_agreed_done(struct uno_channel *channel, int k);

/* extended.c: PE k sends by the other protocol than this end of the channel has: an error. */
void uno_channel_other_protocol(struct uno_channel *channel, int k) __attribute__((noreturn, cold));

/* receive.c: take in what has come from PE k; at most up to the end of the message that
 * channel->reading waits for, or that is coming. Whether anything had. */
bool uno_channel_take_in(struct uno_channel *channel, int k);

/* receive.c: the same from all. */
bool uno_channel_take_in_all(struct uno_channel *channel);

/* receive.c: a message of this PE to itself. */
void uno_channel_send_self(struct uno_channel *channel, uint64_t word, const void *data, size_t bytes);

/* With more PEs than processors, before such a step: whether something has come from PE k (UNO_WILD: any)
 * while it was worth while to look for it and keep the processor. */
bool uno_channel_poll(struct uno_channel *channel, const struct uno_wait *wait, int k);

/* One step of waiting for PE k (UNO_WILD: any): to be called each time that uno_channel_progress has found
 * nothing. Sets wait->left when the PE, or every other one, has left. */
void uno_channel_wait_step(struct uno_channel *channel, struct uno_wait *wait, int k, int tag,
                           unsigned signature);

void uno_channel_wait_end(struct uno_channel *channel, struct uno_wait *wait);

/* A note of a message, for those who look from outside; to be forgotten by its number. k: UNO_WILD for any.
 */
int uno_channel_note(struct uno_channel *channel, enum uno_note_kind kind, int k, uint32_t context, int tag,
                     size_t bytes);
void uno_channel_forget(struct uno_channel *channel, enum uno_note_kind kind, int note);

static inline void *uno_channel_memory(struct uno_channel *channel, void *memory) {
    if (UNO_UNLIKELY(!memory))
        uno_fail(channel->pe, "out of memory for messages");
    return memory;
}

/* One of the things is complete. */
static inline void uno_completion_step(struct uno_completion *completion) {
    if (--completion->left)
        return;
    *completion->flag = 1;
    free(completion);
}

static inline void uno_bit_set(uint64_t *mask, int k) {
    mask[k / 64] |= (uint64_t)1 << (k % 64);
}
static inline void uno_bit_clear(uint64_t *mask, int k) {
    mask[k / 64] &= ~((uint64_t)1 << (k % 64));
}

static inline uint32_t uno_word_context(uint64_t word) {
    return (uint32_t)(word >> 32);
}
static inline int uno_word_tag(uint64_t word) {
    return (int)(uint32_t)word;
}

#endif
