#include "incoming.h"

#include <string.h>

#include "engine/group.h"
#include "engine/reach.h"
#include "engine/channel/extended/agreed.h"
#include "engine/channel/link/notes.h"
#include "engine/channel/link/answers.h"
#include "engine/channel/offered/pull.h"
#include "engine/channel/link/foreign.h"
#include "engine/channel/shared/split.h"

/* ---- to whom a message belongs ----------------------------------------------------------------------- */

/* The posted receive that a message which has just come belongs to, taken from the table, or NULL. */
static struct uno_receive *posted(struct uno_channel *channel, const struct uno_envelope *envelope) {
    struct uno_receive *r = channel->receives.count ? uno_receives_find(&channel->receives, envelope) : NULL;
    if (r) {
        uno_receives_remove(&channel->receives, r);
        uno_channel_forget(channel, UNO_NOTE_PENDING, r->note);
    }
    return r;
}

/* The same, or the one that this PE waits for. */
static struct uno_receive *match(struct uno_channel *channel, const struct uno_envelope *envelope) {
    struct uno_receive *r = posted(channel, envelope);
    if (r)
        return r;
    r = channel->reading;
    if (!r || !uno_envelope_matches(&r->envelope, envelope))
        return NULL;
    channel->reading = NULL;
    return r;
}

/* Keep a message that nobody has asked for, with room for its data. asks: of its own. */
static struct uno_message *keep(struct uno_channel *channel, const struct uno_envelope *envelope,
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

void uno_channel_take_out(struct uno_channel *channel, struct uno_message *m) {
    uno_messages_remove(&channel->messages, m);
    uno_channel_forget(channel, UNO_NOTE_UNCLAIMED, m->note);
}

/* All of an offered message is here, whose sender has its answer. */
static void arrived(struct uno_channel *channel, struct uno_message *m) {
    m->at = m->asks = 0;
    m->got = m->bytes;
    channel->offered--;
}

/* If it has come in pieces. */
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

/* ---- what comes -------------------------------------------------------------------------------------- */

/* receive: that gets it; NULL: it is kept. */
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
        struct uno_message *m = keep(channel, envelope, asks, uno_line_mark(header), bytes);
        uno_ring_get(in, m->data, bytes);
        m->got = bytes;
    }
    uno_ring_take(in, uno_ring_lines(bytes));
}

static struct uno_envelope envelope_of(uint64_t word, int k) {
    return (struct uno_envelope){uno_word_context(word), k, uno_word_tag(word)};
}

static void take_short(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_envelope envelope = envelope_of(uno_ring_word(&channel->link[k].in), k);
    take_short_for(channel, header, &envelope, match(channel, &envelope));
}

/* The piece that a line names, or what stands for one. */
static struct uno_piece piece_of(const struct uno_inlet *in) {
    struct uno_piece piece;
    uno_ring_get(in, &piece, sizeof piece);
    return piece;
}

/* The first piece of a message: find out where it goes. */
static void begin_message(struct uno_channel *channel, int k, const struct uno_piece *piece,
                          uint64_t header) {
    struct uno_link *link = &channel->link[k];
    uint64_t word = uno_ring_word(&link->in);
    struct uno_envelope envelope = envelope_of(word, k);
    uint64_t asks = uno_channel_answer_number(channel, k, word);
    link->total = piece->total;
    link->got = 0;
    link->direct = match(channel, &envelope);
    if (link->direct) {
        link->direct->envelope = envelope;
        link->direct->mark = (uint16_t)uno_line_mark(header);
        link->to = link->direct->data;
        link->room = link->direct->room;
        uno_channel_answer(channel, k, asks);
    } else {
        link->coming = keep(channel, &envelope, asks, uno_line_mark(header), piece->total);
        link->to = link->coming->data;
        link->room = piece->total;
    }
}

static void end_message(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    if (link->direct)
        uno_receive_complete(link->direct, &link->direct->envelope, link->total);
    else if (!link->coming)
        uno_channel_agreed_done(channel, k);
    link->direct = NULL;
    link->coming = NULL;
    link->joined = false;
}

/* Return the bytes that a line names. */
static const char *bytes_of(struct uno_channel *channel, int k, const struct uno_piece *piece) {
    const char *data = uno_channel_reach(channel, k, piece->at, piece->bytes);
    if (UNO_UNLIKELY(!data))
        uno_fail(channel->pe,
                 "cannot map %zu bytes of a message from PE %d: %m; a limit of addresses (ulimit -v) must "
                 "leave room for them",
                 (size_t)piece->bytes, k);
    return data;
}

static void take_piece(struct uno_channel *channel, int k, const struct uno_piece *piece) {
    struct uno_link *link = &channel->link[k];
    if (piece->to < link->room)
        memcpy(link->to + piece->to, bytes_of(channel, k, piece),
               uno_lesser(piece->bytes, link->room - piece->to));
    uno_ring_take(&link->in, uno_ring_lines(sizeof *piece));
    link->got += piece->bytes;
    if (link->coming)
        link->coming->got = link->got;
    if (link->got == link->total && !link->joined)
        end_message(channel, k);
}

static void take_first(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_piece piece = piece_of(&channel->link[k].in);
    begin_message(channel, k, &piece, header);
    take_piece(channel, k, &piece);
}

static void take_more(struct uno_channel *channel, int k, uint64_t header) {
    (void)header;
    struct uno_piece piece = piece_of(&channel->link[k].in);
    take_piece(channel, k, &piece);
}

/* A message that both PEs copy, if this one waits for it. */
static void take_opened(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    struct uno_piece opened = piece_of(&link->in);
    begin_message(channel, k, &opened, header);
    uno_ring_take(&link->in, uno_ring_lines(sizeof opened));
    if (link->direct && uno_share_join(channel, k, &opened))
        end_message(channel, k);
}

/* A message that this PE copies once it is asked for. */
static void take_offered(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    uint64_t word = uno_ring_word(&link->in);
    struct uno_envelope envelope = envelope_of(word, k);
    uint64_t asks = uno_channel_answer_number(channel, k, word);
    struct uno_piece offered = piece_of(&link->in);
    uno_ring_take(&link->in, uno_ring_lines(sizeof offered));
    struct uno_receive *receive = match(channel, &envelope);
    if (receive) {
        receive->envelope = envelope;
        receive->mark = (uint16_t)uno_line_mark(header);
        uno_pull(channel, k, receive, offered.at, offered.total, asks);
    } else {
        keep(channel, &envelope, asks, uno_line_mark(header), offered.total)->at = offered.at;
        channel->offered++;
    }
}

static void take_pulled(struct uno_channel *channel, int k, uint64_t header) {
    (void)header;
    struct uno_inlet *in = &channel->link[k].in;
    struct uno_piece piece = piece_of(in);
    uno_pull_take_piece(channel, k, &piece, bytes_of(channel, k, &piece));
    uno_ring_take(in, uno_ring_lines(sizeof piece));
}

/* Take a line that is nothing but its word. */
static uint64_t take_word(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_inlet *in = &channel->link[k].in;
    uint64_t word = uno_ring_word(in);
    uno_ring_take(in, uno_ring_lines(uno_line_bytes(header)));
    return word;
}

static void take_pull(struct uno_channel *channel, int k, uint64_t header) {
    uno_pull_take_request(channel, k, take_word(channel, k, header));
}

static void take_closed(struct uno_channel *channel, int k, uint64_t header) {
    take_word(channel, k, header);
    end_message(channel, k);
}

static void take_answer(struct uno_channel *channel, int k, uint64_t header) {
    uno_channel_take_answer(channel, k, take_word(channel, k, header));
}

/* ---- of the extended protocol ------------------------------------------------------------------------ */

static void take_agreed(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_inlet *in = &channel->link[k].in;
    size_t bytes = uno_line_bytes(header);
    uno_ring_get(in, uno_channel_agreed_place(channel, k, bytes), bytes);
    uno_ring_take(in, uno_ring_lines(bytes));
    uno_channel_agreed_done(channel, k);
}

static void take_agreed_first(struct uno_channel *channel, int k, uint64_t header) {
    (void)header;
    struct uno_link *link = &channel->link[k];
    struct uno_piece piece = piece_of(&link->in);
    link->total = link->room = piece.total;
    link->got = 0;
    link->to = uno_channel_agreed_place(channel, k, piece.total);
    take_piece(channel, k, &piece);
}

static void take_agreed_done(struct uno_channel *channel, int k, uint64_t header) {
    uno_channel_agreed_place(channel, k, take_word(channel, k, header));
    uno_channel_agreed_done(channel, k);
}

/* ---- by its kind ------------------------------------------------------------------------------------- */

static const struct {
    enum { NONE, STANDARD, EXTENDED } begins;
    void (*take)(struct uno_channel *channel, int k, uint64_t header);
} kinds[1 << 8] = {
#define ROW(kind, begins, take) [UNO_KIND_##kind] = {begins, take},
    UNO_KIND_TABLE(ROW)
#undef ROW
};

/* Take what has come, of any kind. */
static void take(struct uno_channel *channel, int k, uint64_t header) {
    unsigned kind = uno_line_kind(header);
    bool extended = channel->link[k].extended;
    if (UNO_UNLIKELY(!kinds[kind].take))
        uno_fail(
            channel->pe,
            "PE %d has written to PE %d a line of kind %u, which there is not: something has written over "
            "the memory for messages",
            k, channel->pe->me, kind);
    if (UNO_UNLIKELY(kinds[kind].begins == (extended ? STANDARD : EXTENDED)))
        uno_channel_other_protocol(channel, k);
    kinds[kind].take(channel, k, header);
}

bool uno_channel_take_in(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    /* What comes behind that message would have to be kept, and copied twice. */
    bool reading = channel->reading || link->direct;
    uint64_t lines = link->in.mask + 1; /* so that this ends even if the writer is faster */
    uint64_t header = uno_ring_look(&link->in);
    if (!header)
        return false;
    do {
        if (UNO_LIKELY(uno_line_kind(header) == UNO_KIND_SHORT && !link->extended))
            take_short(channel, k, header);
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
    struct uno_link *link = &channel->link[k];
    uint64_t header, lines = link->in.mask + 1, taken = link->in.next;
    while (!receive->done && lines-- && (header = uno_ring_look(&link->in)) &&
           uno_line_kind(header) == UNO_KIND_SHORT && !link->extended) {
        struct uno_envelope envelope = envelope_of(uno_ring_word(&link->in), k);
        struct uno_receive *getter = posted(channel, &envelope);
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

bool uno_channel_take_in_all(struct uno_channel *channel) {
    struct uno_box *box = channel->box;
    bool any = false;
    int words = channel->pe->job->words;
    uint64_t writers[UNO_WORDS];
    for (int w = 0; w < words; w++)
        writers[w] = uno_load64_relaxed(&box->writer[w]);
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

void uno_channel_send_self(const struct uno_sending *s) {
    struct uno_channel *channel = s->channel;
    int me = channel->pe->me;
    unsigned mark = s->mark >> 16;
    struct uno_envelope envelope = envelope_of(s->word, me);
    uint64_t asks = uno_channel_answer_number(channel, me, s->word);
    struct uno_receive *receive = match(channel, &envelope);
    if (receive) {
        if (s->bytes)
            memcpy(receive->data, s->data, uno_lesser(s->bytes, receive->room));
        receive->mark = (uint16_t)mark;
        uno_receive_complete(receive, &envelope, s->bytes);
        uno_channel_answer(channel, me, asks);
    } else {
        struct uno_message *m = keep(channel, &envelope, asks, mark, s->bytes);
        if (s->bytes)
            memcpy(m->data, s->data, s->bytes);
        m->got = s->bytes;
    }
}
