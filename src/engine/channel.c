#include "channel.h"

#include <stdlib.h>

#include "channel_inside.h"
#include "group.h"

#define POOL ((size_t)64 << 20)

/* While this PE waits in an operation. It may not sleep for long: a writer that waits for this PE to take
 * messages in rings its bell, and it sleeps on another. */
static bool go_on(struct uno_pe *pe) {
    struct uno_channel *channel = pe->channel;
    uno_channel_progress(channel);
    return true;
}

UNO_COLD struct uno_channel *uno_channel_start(struct uno_pe *pe) {
    struct uno_channel *channel = calloc(1, sizeof *channel + (size_t)pe->n * sizeof *channel->link);
    if (!channel)
        uno_fail(pe, "out of memory for messages");
    channel->pe = pe;
    channel->mail = uno_mail_map(pe);
    channel->box = uno_mail_box(&channel->mail, pe->me);
    channel->heap.base = uno_mail_heap(&channel->mail, pe->me);
    channel->heap.size = channel->mail.heap;
    channel->pool = POOL;
    channel->view.n = pe->n;
    for (int k = 0; k < pe->n; k++) {
        struct uno_link *link = &channel->link[k];
        uint64_t mask = channel->mail.lines - 1;
        link->out = (struct uno_outlet){
            .ring = uno_mail_ring(&channel->mail, pe->me, k), .mask = mask, .limit = mask + 1};
        link->in = (struct uno_inlet){.ring = uno_mail_ring(&channel->mail, k, pe->me), .mask = mask};
    }
    pe->channel = channel;
    pe->progress = go_on;
    uno_store32_relaxed(&pe->board->messages, 1);
    return channel;
}

void uno_channel_end(struct uno_pe *pe) {
    struct uno_channel *channel = pe->channel;
    if (!channel)
        return;
    uno_channel_flush(channel, UNO_UNTYPED(UNO_EXIT));
    pe->channel = NULL;
    pe->progress = NULL;
    for (int k = 0; k < pe->n; k++) {
        free(channel->link[k].held);
        free(channel->link[k].agreed);
    }
    uno_messages_free(&channel->messages);
    uno_receives_free(&channel->receives);
    uno_heap_free(&channel->heap);
    free(channel->note);
    if (pe->job->mail_at != UNO_MAIL_OWN)
        uno_mail_unmap(&channel->mail);
    free(channel);
}

bool uno_channel_progress(struct uno_channel *channel) {
    bool any = uno_channel_take_in_all(channel);
    any |= uno_channel_deliver(channel);
    return any;
}

/* ---- waiting ---------------------------------------------------------------------------------------------
 */

static bool left(const struct uno_job *job, int k) {
    /* SYNC LEFT: every message of this PE */
    return uno_load32_acquire(&job->board[k].state) == UNO_LEFT;
}

/* Whether nothing can come any more from PE k; UNO_WILD: from all others, of which there may be none. */
static bool all_left(const struct uno_pe *pe, int k) {
    if (k >= 0)
        return k == pe->me || left(pe->job, k);
    for (k = 0; k < pe->n; k++)
        if (k != pe->me && !left(pe->job, k))
            return false;
    return true;
}

void uno_channel_wait_step(struct uno_channel *channel, struct uno_wait *wait, int k, int tag,
                           unsigned signature) {
    struct uno_pe *pe = channel->pe;
    if (wait->steps == 1) /* before the processor is given away in the step that tells since when it waits */
        uno_store64_relaxed(&channel->box->doing, UNO_DOING(signature, k, tag));
    if (pe->spin && k >= 0 && uno_load32_relaxed(&pe->job->processor[k]) == uno_wait_here(pe))
        wait->yields = true;
    uint64_t moves = channel->moves;
    bool sleep = uno_wait_pace(pe, wait, k, signature);
    if (!sleep || channel->moves != moves)
        return;
    wait->left = all_left(pe, k);
    if (wait->left)
        return;
    uno_bell_arm(&channel->box->bell);
    uno_channel_reclaim(channel);
    uno_channel_progress(channel);
    if (channel->moves == moves)
        uno_bell_sleep(&channel->box->bell, uno_wait_sleep_ns());
    uno_bell_disarm(&channel->box->bell);
}

void uno_channel_wait_end(struct uno_channel *channel, struct uno_wait *wait) {
    if (!wait->steps)
        return;
    uno_store64_relaxed(&channel->box->doing, 0);
    uno_wait_end(channel->pe, wait);
}

/* ---- notes -----------------------------------------------------------------------------------------------
 */

static void count(struct uno_box *box, enum uno_note_kind kind, uint64_t more) {
    uno_store64_relaxed(&box->count[kind], uno_load64_relaxed(&box->count[kind]) + more);
    uno_store64_relaxed(&box->changes, uno_load64_relaxed(&box->changes) + 1);
}

int uno_channel_note(struct uno_channel *channel, enum uno_note_kind kind, int k, uint32_t context, int tag,
                     size_t bytes) {
    struct uno_box *box = channel->box;
    count(box, kind, 1);
    if (!channel->note)
        channel->note = uno_channel_memory(channel, malloc(UNO_NOTES * sizeof *channel->note));
    if (!channel->notes && channel->notes_made == UNO_NOTES)
        return UNO_NOTE_NONE;
    uint32_t number = channel->notes ? channel->note[--channel->notes] : channel->notes_made++;
    struct uno_note *note = &uno_mail_notes(&channel->mail, channel->pe->me)[number];
    /* SYNC NOTE: stamp 0 */
    uno_store64_release(&note->peer, (uint64_t)context << 32 | (uint64_t)(k + 1));
    uno_store64_release(&note->tag, (uint64_t)((int64_t)tag + 1));
    uno_store64_release(&note->bytes, bytes);
    /* SYNC STAMP: peer, tag and bytes */
    uno_store64_release(&note->stamp, ++channel->notes_ever << 2 | ((uint64_t)kind + 1));
    uno_store64_relaxed(&box->noted, channel->notes_made);
    return (int)number;
}

void uno_channel_forget(struct uno_channel *channel, enum uno_note_kind kind, int note) {
    count(channel->box, kind, (uint64_t)-1);
    if (note == UNO_NOTE_NONE)
        return;
    uno_store64_relaxed(&uno_mail_notes(&channel->mail, channel->pe->me)[note].stamp, 0);
    channel->note[channel->notes++] = (uint32_t)note;
}
