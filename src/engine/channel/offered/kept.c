#include "kept.h"

#include <string.h>

#include "engine/channel/link/answers.h"
#include "engine/channel/link/coming.h"
#include "engine/channel/link/places.h"
#include "engine/reach.h"
#include "pull.h"

void uno_channel_take_out(struct uno_channel *channel, struct uno_message *m) {
    uno_messages_remove(&channel->messages, m);
    uno_channel_forget(channel, UNO_NOTE_UNCLAIMED, m->note);
}

/* Note that all data of an offered message are here, and that its sender has its answer. */
static void arrived(struct uno_channel *channel, struct uno_message *m) {
    m->at = m->asks = 0;
    m->got = m->bytes;
    channel->offered--;
}

/* Note that all data are here, if the message has come in pieces and the last one is here. */
static void settle(struct uno_channel *channel, struct uno_message *m) {
    if (!m->pulled || !m->pulled->done)
        return;
    arrived(channel, m);
    free(m->pulled);
    m->pulled = NULL;
}

void uno_channel_give(struct uno_channel *channel, struct uno_message *m, struct uno_receive *receive) {
    settle(channel, m);
    receive->mark = m->mark;
    if (m->at) {
        receive->envelope = m->envelope;
        channel->offered--;
        if (m->pulled)
            uno_pull_hand_on(channel, m->envelope.source, m->pulled, receive);
        else
            uno_pull(channel, m->envelope.source, receive, m->at, m->bytes, m->asks);
        free(m->pulled);
        free(m);
        return;
    }
    if (m->got)
        memcpy(receive->data, m->data, uno_lesser(m->got, receive->room));
    uno_channel_answer(channel, m->envelope.source, m->asks);
    if (m->got == m->bytes) {
        uno_receive_complete(receive, &m->envelope, m->bytes);
    } else {
        struct uno_link *link = &channel->link[m->envelope.source];
        receive->envelope = m->envelope;
        link->direct = receive;
        link->coming = NULL;
        link->to = receive->data;
        link->room = receive->room;
        uno_far_place_tell(channel, m->envelope.source);
    }
    free(m);
}

void uno_channel_give_later(struct uno_channel *channel, struct uno_message *m, struct uno_receive *receive) {
    m->later = receive;
    m->next[0] = NULL;
    *(channel->later ? &channel->last_later->next[0] : &channel->later) = m;
    channel->last_later = m;
}

bool uno_channel_give_next(struct uno_channel *channel) {
    struct uno_message *m = channel->later;
    if (UNO_LIKELY(!m))
        return false;
    channel->later = m->next[0];
    uno_channel_give(channel, m, m->later);
    channel->moves++;
    return true;
}

void uno_channel_fetch(struct uno_channel *channel, struct uno_message *m) {
    if (!m->at || m->pulled)
        return;
    int k = m->envelope.source;
    if (uno_reach_read(channel->pe, k, m->at, m->data, m->bytes)) {
        uno_channel_answer(channel, k, m->asks);
        arrived(channel, m);
        return;
    }
    m->pulled = uno_channel_memory(channel, malloc(sizeof *m->pulled));
    *m->pulled = (struct uno_receive){.envelope = m->envelope, .data = m->data, .room = m->bytes};
    uno_pull_request(channel, k, m->pulled, m->asks);
}

bool uno_channel_fetch_offered(struct uno_channel *channel) {
    const struct uno_messages *messages = &channel->messages;
    bool any = false;
    for (size_t i = 0; i < messages->chains; i++)
        for (struct uno_message *m = messages->chain[0][i].first; m; m = m->next[0]) {
            settle(channel, m);
            if (!m->at || m->pulled)
                continue;
            uno_channel_fetch(channel, m);
            channel->moves++;
            any = true;
        }
    return any;
}

void uno_take_offered(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    struct uno_envelope envelope = uno_link_envelope(link, k);
    uint64_t asks = uno_channel_answer_number(channel, k, uno_ring_word(&link->in));
    struct uno_piece offered = uno_link_piece(link);
    uno_ring_take(&link->in, uno_ring_lines(sizeof offered));
    struct uno_receive *receive = uno_coming_match(channel, &envelope);
    if (receive) {
        receive->envelope = envelope;
        receive->mark = (uint16_t)uno_line_mark(header);
        uno_pull(channel, k, receive, offered.at, offered.total, asks);
    } else {
        uno_coming_keep(channel, &envelope, asks, uno_line_mark(header), offered.total)->at = offered.at;
        channel->offered++;
    }
}
