#include "split.h"

#include "engine/reach.h"

/* Begin the last part of that message. False: none is left, or the writer has opened another since. */
static bool begin_last(uno_atomic64 *at, uint64_t number, uint64_t *part) {
    for (;;) {
        uint64_t split = uno_load64_relaxed(at);
        if (uno_split_number(split) != number || uno_split_first(split) == uno_split_last(split))
            return false;
        *part = uno_split_last(split) - 1;
        /* SYNC SPLIT: where the reader wants the data */
        if (uno_cas64_release(at, split, (split | UNO_SPLIT_JOINED) - 1))
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

bool uno_share_join(struct uno_channel *channel, int k, const struct uno_piece *opened) {
    struct uno_link *link = &channel->link[k];
    struct uno_share *share = &link->in.ring->share;
    uint64_t part, copied = 0;
    if (!uno_reach_allowed(channel->pe, k) || link->room < opened->total)
        return false;
    uno_write64_plain(&share->place, (uintptr_t)link->to);
    while (begin_last(&share->split, opened->bytes, &part)) {
        size_t at = (size_t)part * uno_split_part(opened->total),
               count = uno_split_part_bytes(opened->total, part);
        link->joined = true;
        if (!uno_reach_read(channel->pe, k, opened->at + at, link->to + at, count)) {
            give_back(&share->split);
            return false;
        }
        /* SYNC COPIED: reads of these parts of the writer's data have ended */
        uno_store64_release(&share->copied, ++copied);
        if (!part)
            return true;
    }
    return false;
}
