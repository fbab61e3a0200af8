#include "coming.h"

#include <string.h>

#include "answers.h"
#include "foreign.h"
#include "places.h"

struct uno_message *uno_coming_keep(struct uno_channel *channel, const struct uno_envelope *envelope,
                                    uint64_t asks, unsigned mark, size_t bytes) {
    struct uno_message *m = bytes > SIZE_MAX - sizeof *m ? NULL : malloc(sizeof *m + bytes);
    uno_channel_memory(channel, m);
    m->envelope = *envelope;
    m->asks = asks;
    m->mark = (uint16_t)mark;
    m->at = 0;
    m->pulled = m->later = NULL;
    m->bytes = bytes;
    m->got = 0;
    if (!uno_messages_add(&channel->messages, m))
        uno_channel_memory(channel, NULL);
    m->note = uno_channel_note(channel, UNO_NOTE_UNCLAIMED, envelope->source, envelope->context,
                               envelope->tag, bytes);
    return m;
}

void uno_coming_begin(struct uno_channel *channel, int k, const struct uno_piece *piece, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    struct uno_envelope envelope = uno_link_envelope(link, k);
    uint64_t asks = uno_channel_answer_number(channel, k, uno_ring_word(&link->in));
    link->total = piece->total;
    link->got = 0;
    link->direct = uno_coming_match(channel, &envelope);
    if (link->direct) {
        link->direct->envelope = envelope;
        link->direct->mark = (uint16_t)uno_line_mark(header);
        link->to = link->direct->data;
        link->room = link->direct->room;
        uno_channel_answer(channel, k, asks);
    } else {
        link->coming = uno_coming_keep(channel, &envelope, asks, uno_line_mark(header), piece->total);
        link->to = link->coming->data;
        link->room = piece->total;
    }
}

void uno_coming_end(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    if (link->direct)
        uno_receive_complete(link->direct, &link->direct->envelope, link->total);
    if (UNO_UNLIKELY(link->far != NULL))
        uno_far_place_end(channel, k);
    link->direct = NULL;
    link->coming = NULL;
    link->joined = false;
}

void uno_coming_copy(struct uno_channel *channel, int k, const struct uno_piece *piece, char *to,
                     size_t room) {
    if (piece->to >= room)
        return;
    const char *data = uno_channel_reach(channel, k, piece->at, piece->bytes);
    if (UNO_UNLIKELY(!data))
        uno_fail(channel->pe,
                 "cannot map %zu bytes of a message from PE %d: %m; a limit of addresses (ulimit -v) must "
                 "leave room for them",
                 (size_t)piece->bytes, k);
    memcpy(to + piece->to, data, uno_lesser(piece->bytes, room - piece->to));
}

bool uno_coming_piece(struct uno_channel *channel, int k, const struct uno_piece *piece) {
    struct uno_link *link = &channel->link[k];
    uno_coming_copy(channel, k, piece, link->to, link->room);
    uno_ring_take(&link->in, uno_ring_lines(sizeof *piece));
    link->got += piece->bytes;
    if (link->coming)
        link->coming->got = link->got;
    return link->got == link->total && !link->joined;
}
