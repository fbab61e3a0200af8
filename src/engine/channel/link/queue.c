#include "queue.h"

#include <string.h>

#include "engine/bypass.h"
#include "engine/group.h"
#include "notes.h"

/* ---- buffers ----------------------------------------------------------------------------------------- */

/* Return the bytes of the pool that a queued thing takes. */
static size_t cost(const struct uno_queued *q) {
    return q->source ? 0 : sizeof *q + q->line.bytes;
}

static void give_buffer(struct uno_channel *channel, void *buffer, unsigned size) {
    if (!uno_piece_give(&channel->heap, buffer, size))
        uno_channel_memory(channel, NULL);
    channel->pool_used -= (size_t)1 << size;
}

/* Note that line `line` to PE k names this buffer. The buffer that was named by this line a round ago has
 * been read, since there was room. */
static void hold(struct uno_channel *channel, int k, uint64_t line, void *buffer, unsigned size) {
    struct uno_link *link = &channel->link[k];
    if (!link->held)
        link->held = uno_channel_memory(channel, calloc(link->out.mask + 1, sizeof *link->held));
    struct uno_held *held = &link->held[line & link->out.mask];
    if (held->buffer)
        give_buffer(channel, held->buffer, held->size);
    *held = (struct uno_held){buffer, size};
    uno_bit_set(channel->holding, k);
}

/* Make buffers free that PE k has finished with: those of the lines before this one. */
static bool reclaim_before(struct uno_channel *channel, int k, uint64_t taken) {
    struct uno_link *link = &channel->link[k];
    uint64_t lines = link->out.mask + 1;
    bool any = false;
    if (link->out.next - link->reclaimed > lines)
        link->reclaimed = link->out.next - lines;
    for (; link->reclaimed < taken; link->reclaimed++) {
        struct uno_held *held = &link->held[link->reclaimed & link->out.mask];
        if (!held->buffer)
            continue;
        give_buffer(channel, held->buffer, held->size);
        held->buffer = NULL;
        any = true;
        channel->moves++;
    }
    if (taken == link->out.next)
        uno_bit_clear(channel->holding, k);
    return any;
}

static bool reclaim_from(struct uno_channel *channel, int k) {
    return reclaim_before(channel, k, uno_ring_taken(&channel->link[k].out));
}

/* A PE that has left has finished with all buffers of the lines to it. */
bool uno_channel_reclaim(struct uno_channel *channel) {
    bool any = false;
    UNO_FOR_EACH_PE (k, channel->holding, channel->pe->job->words)
        any |= uno_channel_left(channel, k) ? reclaim_before(channel, k, channel->link[k].out.next)
                                            : reclaim_from(channel, k);
    return any;
}

void uno_channel_find_room(struct uno_channel *channel) {
    uno_channel_reclaim(channel);
    if (channel->settling && uno_split_settled(channel->settling, channel->settling_parts)) {
        channel->settling = NULL;
        channel->moves++;
    }
    if (channel->filling && uno_ring_room(&channel->filling->out, channel->filling_lines)) {
        channel->filling = NULL;
        channel->moves++;
    }
}

/* Return a buffer of 1 << size bytes if the pool has room for it, or NULL. It always has room for one
 * buffer. */
static void *take_buffer(struct uno_channel *channel, unsigned size) {
    size_t bytes = (size_t)1 << size;
    if (UNO_UNLIKELY(channel->pool_used && channel->pool_used + bytes > channel->pool))
        return NULL;
    void *buffer = uno_piece_take(&channel->heap, size);
    if (buffer)
        channel->pool_used += bytes;
    else if (!channel->pool_used && channel->windows.error)
        uno_fail(channel->pe,
                 "no room for a buffer of %zu bytes for messages: %s; a limit of addresses (ulimit -v) must "
                 "leave room for it",
                 bytes, strerror(channel->windows.error));
    else if (!channel->pool_used)
        uno_fail(channel->pe,
                 "no room for buffers: nalloc has given all of the %zu bytes of this node's memory",
                 channel->mail.heap);
    return buffer;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

UNO_COLD void uno_channel_become_known(struct uno_channel *channel, int k) {
    int me = channel->pe->me;
    uno_bypass(channel->pe, UNO_OPS_MESSAGE);
    uno_or64_seq_cst(&uno_mail_box(&channel->mail, k)->writer[me / 64], (uint64_t)1 << (me % 64));
    channel->link[k].known = true;
    uno_link_settle(&channel->link[k]);
}

static void put(struct uno_channel *channel, int k, const struct uno_put *line) {
    struct uno_link *link = &channel->link[k];
    if (line->buffer)
        hold(channel, k, link->out.next, line->buffer, line->size);
    uno_ring_put(&link->out, line->kind, line->word, line->data, line->bytes);
    uno_link_ring(link);
}

bool uno_channel_cut(struct uno_channel *channel, const char *data, size_t total, size_t done, size_t end,
                     struct uno_piece *piece, struct uno_put *line) {
    size_t bytes = uno_lesser(end - done, UNO_PIECE_BYTES);
    line->size = uno_piece_size(bytes);
    line->buffer = take_buffer(channel, line->size);
    if (!line->buffer)
        return false;
    *piece = (struct uno_piece){
        .total = total, .bytes = bytes, .at = uno_windows_at(&channel->windows, line->buffer), .to = done};
    line->data = piece;
    line->bytes = sizeof *piece;
    memcpy(line->buffer, data + done, bytes);
    return true;
}

static void finish(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    struct uno_queued *q = link->first;
    if (q->note != UNO_NOTE_UNNOTED)
        uno_channel_forget(channel, UNO_NOTE_QUEUED, q->note);
    channel->pool_used -= cost(q);
    if (q->completion)
        uno_completion_step(q->completion);
    channel->pe->queued--;
    link->first = q->next;
    if (!link->first)
        uno_bit_clear(channel->queued, k);
    free(q);
}

/* Send the next piece of queued data, if the pool has a buffer for it. */
static bool deliver_piece(struct uno_channel *channel, int k) {
    struct uno_queued *q = channel->link[k].first;
    struct uno_put line = q->line;
    struct uno_piece piece;
    if (!uno_channel_cut(channel, q->source, q->total, q->done, q->total, &piece, &line) &&
        (!uno_channel_reclaim(channel) ||
         !uno_channel_cut(channel, q->source, q->total, q->done, q->total, &piece, &line)))
        return false;
    put(channel, k, &line);
    q->line.kind = q->more;
    q->done += piece.bytes;
    if (q->done == q->total)
        finish(channel, k);
    return true;
}

static bool deliver_to(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    bool any = false;
    while (link->first) {
        struct uno_queued *q = link->first;
        if (!uno_ring_room(&link->out, uno_ring_lines(q->source ? sizeof(struct uno_piece) : q->line.bytes)))
            break;
        if (q->source) {
            if (!deliver_piece(channel, k))
                break;
        } else {
            put(channel, k, &q->line);
            finish(channel, k);
        }
        any = true;
        channel->moves++;
    }
    return any;
}

bool uno_channel_deliver(struct uno_channel *channel) {
    bool any = false;
    UNO_FOR_EACH_PE (k, channel->queued, channel->pe->job->words)
        any |= deliver_to(channel, k);
    return any;
}

void uno_channel_follow(struct uno_channel *channel, int k) {
    if (channel->link[k].held)
        reclaim_from(channel, k);
    deliver_to(channel, k);
}

static void append(struct uno_channel *channel, int k, struct uno_queued *q) {
    struct uno_link *link = &channel->link[k];
    if (link->first)
        link->last->next = q;
    else
        link->first = q;
    link->last = q;
    channel->pool_used += cost(q);
    channel->pe->queued++;
    uno_bit_set(channel->queued, k);
}

bool uno_channel_put_now(struct uno_channel *channel, int k, const struct uno_put *line) {
    struct uno_link *link = &channel->link[k];
    if (link->first)
        deliver_to(channel, k);
    if (link->first || !uno_ring_room(&link->out, uno_ring_lines(line->bytes)))
        return false;
    put(channel, k, line);
    return true;
}

static struct uno_queued *new_line(struct uno_channel *channel, const struct uno_put *line) {
    struct uno_queued *q = uno_channel_memory(channel, malloc(sizeof *q + line->bytes));
    *q = (struct uno_queued){.line = *line, .note = UNO_NOTE_UNNOTED};
    q->line.data = q->data;
    if (line->bytes)
        memcpy(q->data, line->data, line->bytes);
    return q;
}

static int note(struct uno_channel *channel, int k, uint64_t word, size_t total) {
    return uno_channel_note(channel, UNO_NOTE_QUEUED, k, uno_word_context(word), uno_word_tag(word), total);
}

void uno_channel_queue_line(struct uno_channel *channel, int k, const struct uno_put *line, size_t total) {
    struct uno_queued *q = new_line(channel, line);
    if (channel->kinds[(uint8_t)line->kind].begins)
        q->note = note(channel, k, line->word, total);
    append(channel, k, q);
}

void uno_channel_put_line(struct uno_channel *channel, int k, const struct uno_put *line) {
    if (!uno_channel_put_now(channel, k, line))
        append(channel, k, new_line(channel, line));
}

void uno_channel_queue_data(const struct uno_sending *s, unsigned first, unsigned more,
                            struct uno_completion *completion) {
    struct uno_queued *q = new_line(s->channel, &(struct uno_put){.word = s->word, .kind = first});
    q->more = more;
    q->source = s->data;
    q->total = s->bytes;
    q->completion = completion;
    q->note = note(s->channel, s->k, s->word, s->bytes);
    append(s->channel, s->k, q);
    deliver_to(s->channel, s->k);
}
