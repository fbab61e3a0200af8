#include "share.h"

#include "engine/channel/eager/pieces.h"
#include "engine/channel/progress/incoming.h"
#include "engine/channel/progress/progress.h"
#include "engine/channel/progress/room.h"
#include "engine/reach.h"
#include "engine/tuning.h"

/* Begin the next part. Returns what stood there before: nothing is left if its first and last are the same.
 */
static uint64_t begin_first(uno_atomic64 *at) {
    for (;;) {
        uint64_t split = uno_load64_relaxed(at);
        if (uno_split_first(split) == uno_split_last(split))
            return split;
        /* SYNC SPLIT: where the reader wants the data. SYNC GIVEN: its copy of a part given back has ended */
        if (uno_cas64_acquire(at, split, split + (1 << UNO_SPLIT_FIELD)))
            return split;
    }
}

/* Wait until the reader has copied the parts that it has begun, but for one that it may have given back. */
static void await_parts(const struct uno_sending *s) {
    struct uno_channel *channel = s->channel;
    const struct uno_share *share = &channel->link[s->k].out.ring->share;
    uint64_t parts = uno_split_parts(s->bytes);
    struct uno_wait wait = {.pe = channel->pe, .k = s->k, .signature = s->signature};
    channel->settling = share;
    channel->settling_parts = parts;
    for (int i = channel->pe->spin ? UNO_SETTLE_LOOKS : 0; i && !uno_split_settled(share, parts); i--)
        uno_pause();
    while (!uno_split_settled(share, parts))
        uno_channel_wait_for_reader(channel, &wait, uno_word_tag(s->word));
    channel->settling = NULL;
    uno_channel_wait_end(channel, &wait);
}

static bool joined(const struct uno_link *link) {
    return uno_load64_relaxed(&link->out.ring->share.split) & UNO_SPLIT_JOINED;
}

/* Wait until the reader has joined, at most about as long as it takes to copy the message once, which is the
 * time that a reader saves by joining. A wait in vain is followed by messages without a wait, twice as many
 * each time. Lines from the reader are taken in meanwhile: both PEs may be here, each with a message for the
 * other. */
static void await_reader(const struct uno_sending *s) {
    struct uno_channel *channel = s->channel;
    struct uno_link *link = &channel->link[s->k];
    if (!channel->pe->spin || link->first || link->unjoined++ < link->unawaited)
        return;
    size_t looks = UNO_JOIN_LOOKS + s->bytes / UNO_LOOK_BYTES;
    for (; looks && !joined(link); looks--) {
        if (uno_ring_look(&link->in))
            uno_channel_take_in(channel, s->k);
        uno_pause();
    }
    link->unjoined = 0;
    if (!looks && link->unawaited < UNO_UNTRIED)
        link->unawaited = (uint8_t)(2 * link->unawaited + 1);
}

/* Copy a part to where the reader wants it, if that is known: it has joined. */
static bool copy_part(const struct uno_sending *s, uint64_t split, size_t at, size_t count) {
    const struct uno_share *share = &s->channel->link[s->k].out.ring->share;
    return split & UNO_SPLIT_JOINED &&
           uno_reach_write(s->channel->pe, s->k, uno_read64_plain(&share->place) + at, s->data + at, count);
}

bool uno_share_send(const struct uno_sending *s) {
    struct uno_link *link = &s->channel->link[s->k];
    struct uno_share *share = &link->out.ring->share;
    uint64_t parts = uno_split_parts(s->bytes), split;
    struct uno_piece opened = {.total = s->bytes,
                               .bytes = ++link->opened & UNO_SPLIT_NUMBER_MASK,
                               .at = (uint64_t)(uintptr_t)s->data};
    struct uno_put line = {
        .word = s->word, .kind = UNO_KIND_OPENED | s->mark, .bytes = sizeof opened, .data = &opened};
    uno_store64_relaxed(&share->copied, 0);
    uno_store64_relaxed(&share->split, uno_split_of(opened.bytes, 0, parts));
    uno_channel_put_or_queue(s, &line);
    await_reader(s);
    for (;;) {
        split = begin_first(&share->split);
        uint64_t part = uno_split_first(split);
        if (part != uno_split_last(split)) {
            size_t at = (size_t)part * uno_split_part(s->bytes), count = uno_split_part_bytes(s->bytes, part);
            if (!copy_part(s, split, at, count))
                uno_channel_send_pieces(s, UNO_KIND_MORE, at, at + count);
        } else if (!(split & UNO_SPLIT_JOINED)) {
            return false; /* all of it has gone in pieces */
        } else if (uno_split_copied(share, parts, split)) {
            link->unawaited = 0;
            if (!part)
                return true; /* the reader has copied all of it, and knows that */
            break;
        } else {
            await_parts(s);
        }
    }
    line = (struct uno_put){.word = s->word, .kind = UNO_KIND_CLOSED};
    uno_channel_put_or_queue(s, &line);
    return true;
}
