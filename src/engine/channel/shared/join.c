/* The reader's part of a long message that both PEs copy. */

#include "engine/channel/link/coming.h"
#include "engine/reach.h"

/* Begin the last part that is left of that message. Returns false if none is left, or the writer has opened
 * another message since. */
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

/* Give back a part that this PE cannot reach: the writer copies it after all. */
static void give_back(uno_atomic64 *at) {
    for (;;) {
        uint64_t split = uno_load64_relaxed(at);
        /* SYNC GIVEN: its copy of a part given back has ended */
        if (uno_cas64_release(at, split, split + 1))
            return;
    }
}

/* Copy the parts that are left to this PE of a message that PE k has opened, whose data go to link->to.
 * Returns true if that was all of it; otherwise the writer tells by a line when all of it is there. */
static bool join(struct uno_channel *channel, int k, const struct uno_piece *opened) {
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

/* Take in the line that opens a long message: both PEs copy the message if this one waits for it. */
void uno_take_opened(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    struct uno_piece opened = uno_link_piece(link);
    uno_coming_begin(channel, k, &opened, header);
    uno_ring_take(&link->in, uno_ring_lines(sizeof opened));
    if (link->direct && join(channel, k, &opened))
        uno_coming_end(channel, k);
}

void uno_take_closed(struct uno_channel *channel, int k, uint64_t header) {
    (void)header;
    uno_link_take_word(&channel->link[k]);
    uno_coming_end(channel, k);
}
