#include "share.h"

#include <stdint.h>

enum {
    LEAST = 512 * 1024, /* bytes from which it pays; below, both copy as fast by pieces */
    PART = 128 * 1024,  /* bytes that are begun at a time */
    FIELD = 20,         /* bits */
    SETTLE_POLLS = 4000,
};
#define FIELD_MASK ((UINT64_C(1) << FIELD) - 1)
#define JOINED (UINT64_C(1) << 2 * FIELD)
#define NUMBER_AT (2 * FIELD + 1)
#define NUMBER_MASK (UINT64_MAX >> NUMBER_AT)

/* The message's number in what is left of 64 bits; whether its reader has joined; and the parts that nobody
 * has begun: those from `first` to before `last`. */
static inline uint64_t split_of(uint64_t number, uint64_t first, uint64_t last) {
    return number << NUMBER_AT | first << FIELD | last;
}
static inline uint64_t first_of(uint64_t split) {
    return split >> FIELD & FIELD_MASK;
}
static inline uint64_t last_of(uint64_t split) {
    return split & FIELD_MASK;
}
static inline uint64_t number_of(uint64_t split) {
    return split >> NUMBER_AT;
}

static inline uint64_t parts_of(size_t bytes) {
    return (bytes + PART - 1) / PART;
}

static inline size_t part_bytes(size_t total, uint64_t part) {
    size_t at = (size_t)part * PART;
    return total - at < PART ? total - at : PART;
}

bool uno_share_pays(struct uno_channel *channel, int k, size_t bytes) {
    return bytes >= LEAST && parts_of(bytes) <= FIELD_MASK && uno_reach_allowed(channel, k);
}

/* ---- the writer ------------------------------------------------------------------------------------------
 */

/* Begin the next part. Returns what stood there before: nothing is left if its first and last are the same.
 */
static uint64_t begin_first(uno_atomic64 *at) {
    for (;;) {
        uint64_t split = uno_load64_relaxed(at);
        if (first_of(split) == last_of(split))
            return split;
        /* SYNC SPLIT: where the reader wants the data. SYNC GIVEN: its copy of a part given back has ended */
        if (uno_cas64_acquire(at, split, split + (1 << FIELD)))
            return split;
    }
}

/* Whether the reader has copied all the parts that it had begun by `split`. If it gives one of them back, it
 * never copies so many. */
static bool all_copied(const struct uno_link *link, uint64_t split) {
    /* SYNC COPIED: reads of these parts of the writer's data have ended */
    return uno_load64_acquire(&link->out.ring->share.copied) == link->parts - last_of(split);
}

bool uno_share_settled(const struct uno_link *link) {
    return all_copied(link, uno_load64_relaxed(&link->out.ring->share.split));
}

/* Until the parts are copied that the reader has begun, but for one that it may have given back. */
static void await_parts(struct uno_channel *channel, int k, int tag, unsigned signature) {
    struct uno_link *link = &channel->link[k];
    struct uno_wait wait = {0};
    channel->settling = link;
    for (int polls = channel->pe->spin ? SETTLE_POLLS : 0; polls && !uno_share_settled(link); polls--)
        uno_pause();
    while (!uno_share_settled(link))
        uno_channel_wait_for_reader(channel, &wait, k, tag, signature);
    channel->settling = NULL;
    uno_channel_wait_end(channel, &wait);
}

void uno_share_send(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                    unsigned signature) {
    struct uno_link *link = &channel->link[k];
    struct uno_share *share = &link->out.ring->share;
    uint64_t parts = parts_of(bytes), split;
    struct uno_piece opened = {
        .total = bytes, .bytes = ++link->opened & NUMBER_MASK, .at = (uint64_t)(uintptr_t)data};
    uno_store64_relaxed(&share->copied, 0);
    uno_store64_relaxed(&share->split, split_of(opened.bytes, 0, parts));
    uno_channel_put_or_queue(channel, k, UNO_KIND_OPENED, word, &opened, sizeof opened, bytes, signature);
    link->parts = parts;
    for (;;) {
        split = begin_first(&share->split);
        uint64_t part = first_of(split);
        if (part != last_of(split)) {
            size_t at = (size_t)part * PART, count = part_bytes(bytes, part);
            if (!(split & JOINED) ||
                !uno_reach_write(channel, k, uno_read64_plain(&share->place) + at, data + at, count))
                uno_channel_send_pieces(channel, k, word, data, bytes, at, at + count, UNO_KIND_MORE,
                                        signature);
        } else if (!(split & JOINED)) {
            return; /* all of it has gone in pieces */
        } else if (all_copied(link, split)) {
            break;
        } else {
            await_parts(channel, k, uno_word_tag(word), signature);
        }
    }
    uno_channel_put_or_queue(channel, k, UNO_KIND_CLOSED, word, NULL, 0, bytes, signature);
}

/* ---- the reader ------------------------------------------------------------------------------------------
 */

/* Begin the last part of that message. False: none is left, or the writer has opened another since. */
static bool begin_last(uno_atomic64 *at, uint64_t number, uint64_t *part) {
    for (;;) {
        uint64_t split = uno_load64_relaxed(at);
        if (number_of(split) != number || first_of(split) == last_of(split))
            return false;
        *part = last_of(split) - 1;
        /* SYNC SPLIT: where the reader wants the data */
        if (uno_cas64_release(at, split, (split | JOINED) - 1))
            return true;
    }
}

/* What cannot be reached is for the writer to do after all. */
static void give_back(uno_atomic64 *at) {
    for (;;) {
        uint64_t split = uno_load64_relaxed(at);
        /* SYNC GIVEN: its copy of a part given back has ended */
        if (uno_cas64_release(at, split, split + 1))
            return;
    }
}

void uno_share_join(struct uno_channel *channel, int k, const struct uno_piece *opened) {
    struct uno_link *link = &channel->link[k];
    struct uno_share *share = &link->in.ring->share;
    uint64_t part, copied = 0;
    if (!uno_reach_allowed(channel, k) || link->room < opened->total)
        return;
    uno_write64_plain(&share->place, (uintptr_t)link->to);
    while (begin_last(&share->split, opened->bytes, &part)) {
        size_t at = (size_t)part * PART, count = part_bytes(opened->total, part);
        link->joined = true;
        if (!uno_reach_read(channel, k, opened->at + at, link->to + at, count)) {
            give_back(&share->split);
            return;
        }
        /* SYNC COPIED: reads of these parts of the writer's data have ended */
        uno_store64_release(&share->copied, ++copied);
    }
}
