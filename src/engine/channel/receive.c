#include "receive.h"

#include "engine/tuning.h"
#include "engine/wait.h"
#include "link/notes.h"
#include "offered/kept.h"
#include "progress/incoming.h"
#include "progress/progress.h"

/* Begin a receive: a message that has come already goes first. Returns true if there was one. posts: this PE
 * does not wait for the message. */
static bool begin(struct uno_channel *channel, struct uno_receive *receive, bool posts) {
    receive->done = receive->posted = false;
    struct uno_message *m = uno_messages_find(&channel->messages, &receive->envelope);
    if (m) {
        uno_channel_take_out(channel, m);
        if (posts && m->at && !m->pulled)
            uno_channel_give_later(channel, m, receive);
        else
            uno_channel_give(channel, m, receive);
    }
    return m;
}

/* End with an error: the PE that is waited for has left, or all PEs that could write have. */
static UNO_COLD _Noreturn void in_vain(struct uno_channel *channel, const struct uno_wait *wait) {
    char op[UNO_SIGNATURE_TEXT];
    int k = wait->k;
    uno_fault_check(channel->pe, k, wait->signature);
    uno_signature_text(wait->signature, op);
    if (k == channel->pe->me || channel->pe->n == 1)
        uno_fail(channel->pe, "%s waits for PE %d, which is itself, and there is no such message", op,
                 channel->pe->me);
    if (k >= 0)
        uno_fail(channel->pe, "%s waits for PE %d, which has left", op, k);
    uno_fail(channel->pe, "%s waits for any PE, and all others have left", op);
}

/* Do one step of a wait for a message of PE wait->k (UNO_WILD: any) that has not been found yet; looks: the
 * number of steps before this one. */
static void take_in_or_wait(struct uno_channel *channel, struct uno_wait *wait, int tag, unsigned looks) {
    int k = wait->k;
    bool here = k >= 0 && k != channel->pe->me && looks % UNO_OTHERS;
    bool any = here ? uno_channel_take_in(channel, k) : uno_channel_take_in_all(channel);
    any |= uno_channel_catch_up(channel);
    any |= uno_channel_go_on(channel);
    if (any)
        return;
    if (wait->left)
        in_vain(channel, wait);
    if (!uno_channel_poll(channel, wait))
        uno_channel_wait_step(channel, wait, tag);
}

/* Wait until the receive is done, which asks for a message of PE k (UNO_WILD: any). */
static void wait_for(struct uno_channel *channel, struct uno_receive *receive, int k, int tag,
                     unsigned signature) {
    struct uno_wait wait = {.pe = channel->pe,
                            .k = k,
                            .signature = signature,
                            .shift.done = &receive->done,
                            .context = receive->envelope.context,
                            .room = receive->room + 1};
    for (unsigned looks = 0; !receive->done; looks++)
        take_in_or_wait(channel, &wait, tag, looks);
    uno_channel_wait_end(channel, &wait);
}

/* Take in a short message from PE k, by this link, that this receive asks for, and no other one, in a
 * straight line, with the effect of uno_channel_take_in. Returns true if it has come. waited: it was not
 * there at the first look. marked: its mark is wanted. */
static inline __attribute__((always_inline)) bool receive_short(struct uno_channel *channel,
                                                                struct uno_link *link, int k,
                                                                struct uno_receive *receive, bool waited,
                                                                bool marked) {
    uint64_t header = uno_ring_look(&link->in);
    if (!header || uno_line_kind(header) != UNO_KIND_SHORT || link->extended || channel->receives.count)
        return false;
    uint64_t word = uno_ring_word(&link->in);
    /* the context has the bit of a message that asks for an answer, which so is not taken here */
    struct uno_envelope envelope = {(uint32_t)(word >> 32), k, uno_word_tag(word)};
    if (!uno_envelope_matches(&receive->envelope, &envelope))
        return false;
    size_t bytes = uno_line_bytes(header);
    if (!waited)
        uno_ring_fetch(&link->in);
    uno_ring_get(&link->in, receive->data, bytes < receive->room ? bytes : receive->room);
    if (marked)
        receive->mark = (uint16_t)uno_line_mark(header);
    uno_receive_complete(receive, &envelope, bytes);
    uno_ring_take(&link->in, uno_ring_lines(bytes));
    channel->moves++;
    uno_link_ring(link);
    return true;
}

void uno_channel_receive(struct uno_channel *channel, struct uno_receive *receive, unsigned signature) {
    int k = receive->envelope.source, tag = receive->envelope.tag;
    struct uno_link *link = k >= 0 ? uno_link_of(channel, k) : NULL;
    /* what comes from another node comes by this PE's own looks at the network */
    bool near = link && !link->far;
    if (UNO_LIKELY(near && !channel->messages.count)) {
        bool waited = uno_ring_await(&link->in, channel->pe->polls);
        if (UNO_LIKELY(receive_short(channel, link, k, receive, waited, false)))
            return;
    }
    if (UNO_UNLIKELY(channel->pe->shifts != NULL)) { /* which may read several at a time */
        uno_channel_post(channel, receive);
    } else if (!begin(channel, receive, false)) {
        channel->reading = receive;
        if (near) /* one look at the network is enough */
            uno_channel_take_in(channel, k);
    }
    wait_for(channel, receive, k, tag, signature);
}

void uno_channel_post(struct uno_channel *channel, struct uno_receive *receive) {
    int k = receive->envelope.source;
    receive->posted = false;
    if (UNO_LIKELY(k >= 0 && !channel->messages.count) &&
        receive_short(channel, uno_link_of(channel, k), k, receive, false, true))
        return;
    if (begin(channel, receive, true) || uno_channel_take_asked(channel, receive))
        return;
    if (!uno_receives_add(&channel->receives, receive))
        uno_channel_memory(channel, NULL);
    receive->note = uno_channel_note(channel, UNO_NOTE_PENDING, receive->envelope.source,
                                     receive->envelope.context, receive->envelope.tag, receive->room);
}

bool uno_channel_cancel(struct uno_channel *channel, struct uno_receive *receive) {
    while (!receive->posted && !receive->done && uno_channel_give_next(channel))
        ;
    if (!receive->posted)
        return false;
    uno_receives_remove(&channel->receives, receive);
    uno_channel_forget(channel, UNO_NOTE_PENDING, receive->note);
    return true;
}

void uno_channel_finish(struct uno_channel *channel, struct uno_receive *receive, unsigned signature) {
    wait_for(channel, receive, receive->envelope.source, receive->envelope.tag, signature);
}

void uno_channel_await_answers(struct uno_channel *channel, unsigned signature) {
    for (int k = 0; k < channel->pe->n; k++)
        while (channel->link[k].awaiting.first)
            uno_channel_finish(channel, channel->link[k].awaiting.first, signature);
}

struct uno_message *uno_channel_take_message(struct uno_channel *channel, const struct uno_envelope *asked) {
    uno_channel_advance(channel);
    struct uno_message *m = uno_messages_find(&channel->messages, asked);
    if (m) {
        uno_channel_take_out(channel, m);
        uno_channel_fetch(channel, m); /* whoever takes it out may let its sender wait */
    }
    return m;
}

void uno_channel_receive_message(struct uno_channel *channel, struct uno_message *m,
                                 struct uno_receive *receive) {
    receive->done = receive->posted = false;
    uno_channel_give(channel, m, receive);
}

const struct uno_message *uno_channel_probe(struct uno_channel *channel, const struct uno_envelope *asked) {
    uno_channel_advance(channel);
    return uno_messages_find(&channel->messages, asked);
}

const struct uno_message *uno_channel_await_message(struct uno_channel *channel,
                                                    const struct uno_envelope *asked, unsigned signature) {
    struct uno_wait wait = {
        .pe = channel->pe, .k = asked->source, .signature = signature, .context = asked->context};
    const struct uno_message *message;
    for (unsigned looks = 0; !(message = uno_messages_find(&channel->messages, asked)); looks++)
        take_in_or_wait(channel, &wait, asked->tag, looks);
    uno_channel_wait_end(channel, &wait);
    return message;
}
