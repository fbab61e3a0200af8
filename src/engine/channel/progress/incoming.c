#include "incoming.h"

#include "engine/channel/link/answers.h"
#include "engine/channel/link/coming.h"
#include "engine/group.h"
#include "engine/nodes.h"

/* Take in a short message. receive: the one that gets it; NULL: the message is kept. */
static inline void take_short_for(struct uno_channel *channel, uint64_t header,
                                  const struct uno_envelope *envelope, struct uno_receive *receive) {
    int k = envelope->source;
    struct uno_inlet *in = &channel->link[k].in;
    size_t bytes = uno_line_bytes(header);
    uint64_t asks = uno_channel_answer_number(channel, k, uno_ring_word(in));
    if (UNO_LIKELY(receive != NULL)) {
        uno_ring_get(in, receive->data, uno_lesser(bytes, receive->room));
        receive->mark = (uint16_t)uno_line_mark(header);
        uno_receive_complete(receive, envelope, bytes);
        uno_channel_answer(channel, k, asks);
    } else {
        struct uno_message *m = uno_coming_keep(channel, envelope, asks, uno_line_mark(header), bytes);
        uno_ring_get(in, m->data, bytes);
        m->got = bytes;
    }
    uno_ring_take(in, uno_ring_lines(bytes));
}

void uno_take_short(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_envelope envelope = uno_link_envelope(&channel->link[k], k);
    take_short_for(channel, header, &envelope, uno_coming_match(channel, &envelope));
}

/* End with an error: PE k sends by the other protocol than this end of the channel has. */
static _Noreturn UNO_COLD void other_protocol(const struct uno_channel *channel, int k) {
    struct uno_pe *pe = channel->pe;
    if (channel->link[k].extended)
        uno_fail(pe, "PE %d has sent a standard message to PE %d, whose end of the channel is extended", k,
                 pe->me);
    uno_fail(pe, "PE %d has sent an extended message to PE %d, whose end of the channel is standard", k,
             pe->me);
}

/* Take in a line that has come, of any kind. */
static void take(struct uno_channel *channel, int k, uint64_t header) {
    unsigned kind = uno_line_kind(header);
    const struct uno_kind_row *row = &channel->kinds[kind];
    bool extended = channel->link[k].extended;
    if (UNO_UNLIKELY(!row->take))
        uno_fail(
            channel->pe,
            "PE %d has written to PE %d a line of kind %u, which there is not: something has written over "
            "the memory for messages",
            k, channel->pe->me, kind);
    if (UNO_UNLIKELY(row->begins == (extended ? UNO_BEGINS_STANDARD : UNO_BEGINS_EXTENDED)))
        other_protocol(channel, k);
    row->take(channel, k, header);
}

bool uno_channel_hear(struct uno_channel *channel) {
    uint64_t moves = channel->moves;
    channel->moves += channel->pe->hear(channel->pe);
    return channel->moves != moves;
}

void uno_channel_writers(const struct uno_channel *channel, uint64_t writers[UNO_WORDS]) {
    for (int w = 0; w < channel->pe->job->words; w++) {
        writers[w] = uno_load64_relaxed(&channel->box->writer[w]);
        if (UNO_UNLIKELY(channel->far != NULL))
            writers[w] = (writers[w] & uno_near_word(channel->pe, w)) | channel->unread[w];
    }
}

bool uno_channel_take_in(struct uno_channel *channel, int k) {
    struct uno_link *link = uno_link_of(channel, k);
    /* Messages behind that one would have to be kept, and copied twice. */
    bool reading = channel->reading || link->direct;
    uint64_t lines = link->in.mask + 1; /* so that this ends even if the writer is faster */
    bool any = UNO_UNLIKELY(link->far != NULL) && uno_channel_hear(channel);
    uint64_t header = uno_ring_look(&link->in);
    if (!header)
        return any;
    do {
        if (UNO_LIKELY(uno_line_kind(header) == UNO_KIND_SHORT && !link->extended))
            uno_take_short(channel, k, header);
        else
            take(channel, k, header);
    } while ((!reading || channel->reading || link->direct) && --lines &&
             (header = uno_ring_look(&link->in)));
    channel->moves++;
    uno_link_ring(link);
    return true;
}

bool uno_channel_take_asked(struct uno_channel *channel, struct uno_receive *receive) {
    int k = receive->envelope.source;
    if (k < 0 || k == channel->pe->me)
        return false;
    struct uno_link *link = uno_link_of(channel, k);
    uint64_t header, lines = link->in.mask + 1, taken = link->in.next;
    while (!receive->done && lines-- && (header = uno_ring_look(&link->in)) &&
           uno_line_kind(header) == UNO_KIND_SHORT && !link->extended) {
        struct uno_envelope envelope = uno_link_envelope(link, k);
        struct uno_receive *getter = uno_coming_posted(channel, &envelope);
        if (!getter && uno_envelope_matches(&receive->envelope, &envelope))
            getter = receive;
        if (!getter)
            break;
        take_short_for(channel, header, &envelope, getter);
    }
    if (link->in.next != taken) {
        channel->moves++;
        uno_link_ring(link);
    }
    return receive->done;
}

bool uno_channel_take_in_all(struct uno_channel *channel) {
    bool any = UNO_UNLIKELY(channel->far != NULL) && uno_channel_hear(channel);
    int words = channel->pe->job->words;
    uint64_t writers[UNO_WORDS];
    uno_channel_writers(channel, writers);
    int turn = channel->turn;
    UNO_FOR_EACH_PE (k, writers, words)
        if (k >= turn && uno_channel_take_in(channel, k)) {
            channel->turn = k + 1;
            any = true;
        }
    UNO_FOR_EACH_PE (k, writers, words) {
        if (k >= turn)
            return any;
        if (uno_channel_take_in(channel, k)) {
            channel->turn = k + 1;
            any = true;
        }
    }
    return any;
}
