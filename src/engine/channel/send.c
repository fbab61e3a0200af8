#include "send.h"

#include <stdlib.h>
#include <string.h>

#include "eager/pieces.h"
#include "engine/kernel.h"
#include "engine/reach.h"
#include "engine/trial.h"
#include "engine/tuning.h"
#include "engine/shifts.h"
#include "link/answers.h"
#include "link/coming.h"
#include "link/queue.h"
#include "progress/incoming.h"
#include "progress/room.h"
#include "shared/share.h"
#include "placed/placed.h"

enum {
    TRIES = 4,   /* messages by either way in a trial: the first may find other data in the caches */
    LASTS = 512, /* messages from one trial to the next, */
    SOON = 16,   /* and after one in which the reader was not at it */
    LEAST = 13,  /* log2 of the bytes of the shortest ones, */
    SIZES = 12,  /* and powers of two from there on; the last one is that of all longer ones */
};

/* The way of messages of about one size to one PE. Most sizes come only a few times: so they are copied once,
 * until there is something to compare. Starts as zeros. */
enum { SHARED, PIECES };
struct uno_way {
    struct uno_trial
        trial;    /* SHARED: copied once, by both; PIECES: in pieces, until the reader had them all */
    uint32_t row; /* ns of pieces in a row, where the slower one of writer and reader counts, as of a trial */
};

/* ---- the trial --------------------------------------------------------------------------------------- */

static void begin_trial(struct uno_way *way) {
    uno_trial_begin(&way->trial, TRIES);
    way->row = UINT32_MAX;
}

static unsigned rests(const struct uno_way *way) {
    return uno_trial_has_told(&way->trial) ? LASTS : SOON;
}

/* Until the reader has taken all that was sent to it, so that the next message finds buffers that are in the
 * cache; for about as long as it takes to copy this one again. What it sends itself, and is asked for, is
 * taken in meanwhile. */
static bool await_taken(const struct uno_sending *s) {
    struct uno_channel *channel = s->channel;
    struct uno_link *link = &channel->link[s->k];
    for (size_t looks = UNO_JOIN_LOOKS + s->bytes / UNO_LOOK_BYTES; looks; looks--) {
        uno_channel_follow(channel, s->k);
        if (!link->first && link->reclaimed == link->out.next)
            return true;
        if (channel->receives.count && uno_ring_look(&link->in))
            uno_channel_take_in(channel, s->k);
        uno_pause();
    }
    return false;
}

static void send_pieces(const struct uno_sending *s) {
    uno_channel_send_pieces(s, UNO_KIND_FIRST | s->mark, 0, s->bytes);
}

static void try_pieces(const struct uno_sending *s, struct uno_way *way) {
    uint64_t began = uno_kernel_now();
    send_pieces(s);
    uint64_t written = uno_kernel_now() - began;
    if (!await_taken(s)) {
        uno_trial_end_early(&way->trial);
        return;
    }
    uint64_t taken = uno_kernel_now() - began, slower = written > taken - written ? written : taken - written;
    uno_trial_learn(&way->trial, taken);
    if (slower < way->row)
        way->row = (uint32_t)slower;
}

static void try_share(const struct uno_sending *s, struct uno_way *way) {
    uint64_t began = uno_kernel_now();
    if (uno_share_send(s))
        uno_trial_learn(&way->trial, uno_kernel_now() - began);
}

/* ---- what follows from it ---------------------------------------------------------------------------- */

/* Return true if both ways are open to the message, of which the faster one is to be found. */
static bool is_open(struct uno_channel *channel, int k, size_t bytes) {
    return bytes >= (channel->pe->spin ? UNO_SHARE_LEAST : UNO_SHARE_LEAST_MANY) &&
           uno_split_parts(bytes) <= UNO_SPLIT_FIELD_MASK && uno_reach_allowed(channel->pe, k);
}

static struct uno_way *way_of(struct uno_channel *channel, int k, size_t bytes) {
    struct uno_link *link = &channel->link[k];
    if (!link->way)
        link->way = uno_channel_memory(channel, calloc(SIZES, sizeof *link->way));
    int power = (int)(sizeof bytes * 8) - 1 - __builtin_clzl(bytes) - LEAST;
    return &link->way[power < SIZES ? power : SIZES - 1];
}

/* Return true if the next message is shared; row: it is one of a row. */
static bool is_shared(const struct uno_way *way, bool row) {
    const struct uno_trial *trial = &way->trial;
    if (uno_trial_runs(trial))
        return uno_trial_way(trial) == SHARED;
    return trial->least[SHARED] < (row ? way->row : trial->least[PIECES]);
}

/* Nothing has come from the other one since the last long message to it: then this is one of a row. */
static bool is_in_row(struct uno_link *link) {
    bool row = link->in.next == link->before;
    link->before = link->in.next;
    return row;
}

static void send_long(const struct uno_sending *s) {
    struct uno_channel *channel = s->channel;
    if (channel->link[s->k].far) {
        (s->bytes < UNO_PLACED_LEAST || channel->pe->paced ? send_pieces : uno_placed_send)(s);
        return;
    }
    bool open = is_open(channel, s->k, s->bytes), row = is_in_row(&channel->link[s->k]);
    struct uno_way *way = open && channel->pe->spin ? way_of(channel, s->k, s->bytes) : NULL;
    if (way && uno_trial_is_due(&way->trial))
        begin_trial(way);
    bool share = way ? is_shared(way, row) : open;
    if (way && uno_trial_runs(&way->trial))
        (share ? try_share : try_pieces)(s, way);
    else if (share)
        uno_share_send(s);
    else
        send_pieces(s);
    if (way)
        uno_trial_count(&way->trial, rests(way));
}

/* ---- any message ------------------------------------------------------------------------------------- */

/* Send a message to another node at once, if nothing goes before it. Returns true if it has been sent. */
static inline bool send_past(struct uno_link *link, unsigned mark, uint64_t word, const void *data,
                             size_t bytes) {
    return link->far && link->known && !link->extended && link->far->send(link->far, mark, word, data, bytes);
}

void uno_channel_await_writer(struct uno_channel *channel) {
    if (UNO_UNLIKELY(channel->pe->shifts != NULL))
        uno_shifts_await(channel->pe->shifts, &channel->writing);
}

static UNO_COLD _Noreturn void is_extended(const struct uno_sending *s) {
    char op[UNO_SIGNATURE_TEXT];
    uno_fail(s->channel->pe, "%s: the channel to PE %d is extended: it takes no standard messages",
             uno_signature_text(s->signature, op), s->k);
}

/* A message to this PE itself is matched at once. */
static void send_self(const struct uno_sending *s) {
    struct uno_channel *channel = s->channel;
    int me = channel->pe->me;
    unsigned mark = s->mark >> 16;
    struct uno_envelope envelope = {uno_word_context(s->word), me, uno_word_tag(s->word)};
    uint64_t asks = uno_channel_answer_number(channel, me, s->word);
    struct uno_receive *receive = uno_coming_match(channel, &envelope);
    if (receive) {
        if (s->bytes)
            memcpy(receive->data, s->data, uno_lesser(s->bytes, receive->room));
        receive->mark = (uint16_t)mark;
        uno_receive_complete(receive, &envelope, s->bytes);
        channel->moves++; /* for another thread that waits */
        uno_channel_answer(channel, me, asks);
    } else {
        struct uno_message *m = uno_coming_keep(channel, &envelope, asks, mark, s->bytes);
        if (s->bytes)
            memcpy(m->data, s->data, s->bytes);
        m->got = s->bytes;
        channel->moves++; /* for another thread that looks for one */
    }
}

/* Send a message that finds something before it, or is too long for all that is quicker. */
static __attribute__((noinline)) void send_any(struct uno_channel *channel, int k, uint64_t word,
                                               const void *data, size_t bytes, unsigned signature) {
    struct uno_link *link = &channel->link[k];
    unsigned mark = uno_signature_mark(signature);
    struct uno_sending s = {.channel = channel,
                            .k = k,
                            .word = word,
                            .data = data,
                            .bytes = bytes,
                            .signature = uno_signature_alone(signature),
                            .mark = mark};
    uno_channel_await_writer(channel);
    if (k == channel->pe->me) {
        send_self(&s);
        return;
    }
    if (!link->known)
        uno_channel_become_known(channel, k);
    if (link->extended)
        is_extended(&s);
    if (bytes <= UNO_RING_BYTES)
        uno_channel_put_or_queue(
            &s, &(struct uno_put){
                    .word = word, .kind = UNO_KIND_SHORT | mark, .bytes = (unsigned)bytes, .data = data});
    else if (!send_past(link, mark, word, data, bytes))
        send_long(&s);
}

void uno_channel_send_slowly(struct uno_channel *channel, int k, uint64_t word, const void *data,
                             size_t bytes, unsigned signature) {
    struct uno_link *link = uno_link_of(channel, k);
    unsigned mark = uno_signature_mark(signature);
    if (UNO_UNLIKELY(link->far != NULL)) {
        if (bytes <= UNO_RING_BYTES && send_past(link, mark, word, data, bytes))
            return;
    } else if (UNO_LIKELY(bytes <= UNO_RING_BYTES && !link->first && link->plain &&
                          uno_ring_room(&link->out, uno_ring_lines(bytes)))) {
        uno_ring_put(&link->out, UNO_KIND_SHORT | mark, word, data, bytes);
        uno_bell_ring(link->bell, &link->rung);
        return;
    }
    send_any(channel, k, word, data, bytes, signature);
}

bool uno_offer_pays(struct uno_channel *channel, int k, size_t bytes) {
    return bytes >= UNO_SHARE_LEAST && channel->pe->spin && (channel->receives.count || channel->later) &&
           k != channel->pe->me && !uno_link_of(channel, k)->extended && uno_reach_allowed(channel->pe, k);
}

void uno_offer_send(const struct uno_sending *s, struct uno_receive *answer) {
    struct uno_channel *channel = s->channel;
    struct uno_piece offered = {.total = s->bytes, .at = (uint64_t)(uintptr_t)s->data};
    struct uno_put line = {.word = s->word | UNO_WORD_ASKS,
                           .kind = UNO_KIND_OFFERED | s->mark,
                           .bytes = sizeof offered,
                           .data = &offered};
    uno_channel_await_writer(channel);
    if (!channel->link[s->k].known)
        uno_channel_become_known(channel, s->k);
    uno_channel_expect_answer(channel, s->k, s->word, answer);
    answer->data = (void *)(uintptr_t)s->data;
    answer->bytes = s->bytes;
    uno_channel_put_or_queue(s, &line);
}
