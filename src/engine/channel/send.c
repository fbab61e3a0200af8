/* The sending half of the channel: lines, buffers of the pool, and what waits for them. */

#include <stdlib.h>
#include <string.h>

#include "share.h"
#include "engine/group.h"

enum {
    PIECE = 1 << UNO_PIECE_MOST, /* bytes of a long message that one line names */
    /* Lines after whose writing it is worth while to ask the reader how far it is: a buffer that was used
     * lately is in the cache, and asking moves a line. */
    ASK = 8,
    READER_POLLS = 400, /* in which a reader that goes on has read another piece */
};

/* ---- buffers ---------------------------------------------------------------------------------------------
 */

/* What a queued thing takes of the pool. */
static size_t cost(const struct uno_queued *q) {
    return q->source ? 0 : sizeof *q + q->bytes;
}

static void give_buffer(struct uno_channel *channel, void *buffer, unsigned size) {
    if (!uno_piece_give(&channel->heap, buffer, size))
        uno_channel_memory(channel, NULL);
    channel->pool_used -= (size_t)1 << size;
}

/* Line `line` to PE k names this buffer. What the line of a round ago named has been read: there was room. */
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

static bool left(const struct uno_channel *channel, int k) {
    /* SYNC LEFT: that it reads nothing more */
    return uno_load32_acquire(&channel->pe->job->board[k].state) == UNO_LEFT;
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

static bool reclaim(struct uno_channel *channel, int k) {
    return reclaim_before(channel, k, uno_ring_taken(&channel->link[k].out));
}

/* Who has left has finished with all of them. */
static bool reclaim_all(struct uno_channel *channel) {
    bool any = false;
    UNO_FOR_EACH_PE (k, channel->holding, channel->pe->job->words)
        any |= left(channel, k) ? reclaim_before(channel, k, channel->link[k].out.next) : reclaim(channel, k);
    return any;
}

void uno_channel_find_room(struct uno_channel *channel) {
    reclaim_all(channel);
    if (channel->settling && uno_share_settled(channel->settling)) {
        channel->settling = NULL;
        channel->moves++;
    }
    if (channel->filling && uno_ring_room(&channel->filling->out, channel->filling_lines)) {
        channel->filling = NULL;
        channel->moves++;
    }
}

/* ---- waiting until the pool has room ---------------------------------------------------------------------
 */

static _Noreturn UNO_COLD void has_left(struct uno_channel *channel, int k, unsigned signature) {
    char op[UNO_SIGNATURE_TEXT];
    size_t count = 0;
    for (struct uno_queued *q = channel->link[k].first; q; q = q->next)
        count++;
    uno_fault_check(channel->pe, k, signature);
    uno_fail(channel->pe, "%s: PE %d has left without taking in what was written to it (%zu line%s queued)",
             uno_signature_text(signature, op), k, count, count == 1 ? "" : "s");
}

/* One step of waiting until others have taken in what this PE wrote. k: the one that matters most. */
void uno_channel_wait_for_reader(struct uno_channel *channel, struct uno_wait *wait, int k, int tag,
                                 unsigned signature) {
    if (uno_channel_progress(channel) || (wait->began && reclaim_all(channel)))
        return;
    if (wait->left)
        has_left(channel, k, signature);
    UNO_FOR_EACH_PE (j, channel->queued, wait->began ? channel->pe->job->words : 0)
        if (left(channel, j))
            has_left(channel, j, signature);
    uno_channel_wait_step(channel, wait, k, tag, signature);
}

/* A buffer, if the pool has room for it. One always has, however small the pool. */
static void *buffer_now(struct uno_channel *channel, unsigned size) {
    size_t bytes = (size_t)1 << size;
    if (UNO_UNLIKELY(channel->pool_used && channel->pool_used + bytes > channel->pool))
        return NULL;
    void *buffer = uno_piece_take(&channel->heap, size);
    if (buffer)
        channel->pool_used += bytes;
    else if (!channel->pool_used)
        uno_fail(channel->pe,
                 "no room for buffers: nalloc has given all of the %zu bytes of this node's memory",
                 channel->heap.size);
    return buffer;
}

static bool deliver(struct uno_channel *channel, int k);

/* A writer that is faster than its reader would fill ever more buffers, which are in no cache. So it waits
 * until few are left, as long as the reader goes on; and if it does not, does not wait again until it has. */
static void await_reader(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    uint64_t before = link->reclaimed;
    int polls = link->reads && channel->pe->spin ? READER_POLLS : 0;
    reclaim(channel, k);
    for (; polls && (link->first || link->out.next - link->reclaimed >= ASK); polls--) {
        uint64_t last = link->reclaimed;
        uno_pause();
        reclaim(channel, k);
        deliver(channel, k);
        if (link->reclaimed != last)
            polls = READER_POLLS;
    }
    link->reads = link->reclaimed != before;
}

static void *take_buffer(struct uno_channel *channel, unsigned size, int k, int tag, unsigned signature) {
    struct uno_link *link = &channel->link[k];
    struct uno_wait wait = {0};
    void *buffer;
    if (link->held && link->out.next - link->reclaimed >= ASK)
        await_reader(channel, k);
    while (!(buffer = buffer_now(channel, size)))
        if (!reclaim_all(channel))
            uno_channel_wait_for_reader(channel, &wait, k, tag, signature);
    uno_channel_wait_end(channel, &wait);
    return buffer;
}

/* ---- lines -----------------------------------------------------------------------------------------------
 */

UNO_COLD void uno_channel_become_known(struct uno_channel *channel, int k) {
    int me = channel->pe->me;
    uno_or64_seq_cst(&uno_mail_box(&channel->mail, k)->writer[me / 64], (uint64_t)1 << (me % 64));
    channel->link[k].known = true;
    channel->link[k].plain = !channel->link[k].extended;
}

static void put(struct uno_channel *channel, int k, unsigned kind, uint64_t word, const void *data,
                size_t bytes, void *buffer, unsigned size) {
    struct uno_link *link = &channel->link[k];
    if (buffer)
        hold(channel, k, link->out.next, buffer, size);
    uno_ring_put(&link->out, kind, word, data, bytes);
    uno_bell_ring(&uno_mail_box(&channel->mail, k)->bell, &link->rung);
}

/* The next piece, of those before `end`, of a message that begins at `data`, of which `done` bytes have been
 * sent: copied to the buffer. */
static struct uno_piece fill(struct uno_channel *channel, char *buffer, const char *data, size_t total,
                             size_t done, size_t end) {
    struct uno_piece piece = {.total = total,
                              .bytes = end - done < PIECE ? end - done : PIECE,
                              .at = (uint64_t)(buffer - channel->heap.base),
                              .to = done};
    memcpy(buffer, data + done, piece.bytes);
    return piece;
}

static unsigned piece_size(size_t total, size_t done) {
    return uno_piece_size(total - done < PIECE ? total - done : PIECE);
}

static void finish(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    struct uno_queued *q = link->first;
    if (q->note != UNO_NOTE_UNNOTED)
        uno_channel_forget(channel, UNO_NOTE_QUEUED, q->note);
    channel->pool_used -= cost(q);
    if (q->completion)
        uno_completion_step(q->completion);
    link->first = q->next;
    if (!link->first)
        uno_bit_clear(channel->queued, k);
    free(q);
}

/* Send the next piece of queued data, if the pool has a buffer for it. */
static bool deliver_piece(struct uno_channel *channel, int k) {
    struct uno_queued *q = channel->link[k].first;
    unsigned size = piece_size(q->total, q->done);
    char *buffer = buffer_now(channel, size);
    if (!buffer && reclaim_all(channel))
        buffer = buffer_now(channel, size);
    if (!buffer)
        return false;
    struct uno_piece piece = fill(channel, buffer, q->source, q->total, q->done, q->total);
    put(channel, k, q->done ? UNO_KIND_MORE : q->kind, q->word, &piece, sizeof piece, buffer, size);
    q->done += piece.bytes;
    if (q->done == q->total)
        finish(channel, k);
    return true;
}

static bool deliver(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    bool any = false;
    while (link->first) {
        struct uno_queued *q = link->first;
        if (!uno_ring_room(&link->out, uno_ring_lines(q->source ? sizeof(struct uno_piece) : q->bytes)))
            break;
        if (q->source) {
            if (!deliver_piece(channel, k))
                break;
        } else {
            put(channel, k, q->kind, q->word, q->data, q->bytes, q->buffer, q->size);
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
        any |= deliver(channel, k);
    return any;
}

static void append(struct uno_channel *channel, int k, struct uno_queued *q) {
    struct uno_link *link = &channel->link[k];
    if (link->first)
        link->last->next = q;
    else
        link->first = q;
    link->last = q;
    channel->pool_used += cost(q);
    uno_bit_set(channel->queued, k);
}

/* Put a line into the ring, if there is room. */
static bool put_now(struct uno_channel *channel, int k, unsigned kind, uint64_t word, const void *data,
                    size_t bytes, void *buffer, unsigned size) {
    struct uno_link *link = &channel->link[k];
    if (link->first)
        deliver(channel, k);
    if (link->first || !uno_ring_room(&link->out, uno_ring_lines(bytes)))
        return false;
    put(channel, k, kind, word, data, bytes, buffer, size);
    return true;
}

static struct uno_queued *new_line(struct uno_channel *channel, unsigned kind, uint64_t word,
                                   const void *data, size_t bytes) {
    struct uno_queued *q = uno_channel_memory(channel, malloc(sizeof *q + bytes));
    *q = (struct uno_queued){.word = word, .kind = kind, .bytes = (unsigned)bytes, .note = UNO_NOTE_UNNOTED};
    if (bytes)
        memcpy(q->data, data, bytes);
    return q;
}

/* Put a line of a standard message into the ring, or where there is no room queue it. total: bytes of the
 * message. */
static void put_or_queue(struct uno_channel *channel, int k, unsigned kind, uint64_t word, const void *data,
                         size_t bytes, void *buffer, unsigned size, size_t total, unsigned signature) {
    struct uno_wait wait = {0};
    bool done;
    while (!(done = put_now(channel, k, kind, word, data, bytes, buffer, size)) &&
           channel->pool_used + sizeof(struct uno_queued) + bytes > channel->pool) {
        channel->filling = &channel->link[k];
        channel->filling_lines = uno_ring_lines(bytes);
        uno_channel_wait_for_reader(channel, &wait, k, uno_word_tag(word), signature);
    }
    channel->filling = NULL;
    uno_channel_wait_end(channel, &wait);
    if (done)
        return;
    struct uno_queued *q = new_line(channel, kind, word, data, bytes);
    q->buffer = buffer;
    q->size = size;
    if (kind != UNO_KIND_MORE && kind != UNO_KIND_CLOSED)
        q->note =
            uno_channel_note(channel, UNO_NOTE_QUEUED, k, uno_word_context(word), uno_word_tag(word), total);
    append(channel, k, q);
}

void uno_channel_put_line(struct uno_channel *channel, int k, unsigned kind, uint64_t word, const void *data,
                          size_t bytes) {
    if (!put_now(channel, k, kind, word, data, bytes, NULL, 0))
        append(channel, k, new_line(channel, kind, word, data, bytes));
}

void uno_channel_queue_data(struct uno_channel *channel, int k, unsigned kind, uint64_t word,
                            const void *data, size_t bytes, struct uno_completion *completion) {
    struct uno_queued *q = new_line(channel, kind, word, NULL, 0);
    q->source = data;
    q->total = bytes;
    q->completion = completion;
    q->note =
        uno_channel_note(channel, UNO_NOTE_QUEUED, k, uno_word_context(word), uno_word_tag(word), bytes);
    append(channel, k, q);
    deliver(channel, k);
}

void uno_channel_put_or_queue(struct uno_channel *channel, int k, unsigned kind, uint64_t word,
                              const void *data, size_t bytes, size_t total, unsigned signature) {
    put_or_queue(channel, k, kind, word, data, bytes, NULL, 0, total, signature);
}

void uno_channel_send_pieces(struct uno_channel *channel, int k, uint64_t word, const char *data,
                             size_t total, size_t done, size_t end, unsigned first, unsigned signature) {
    for (unsigned kind = first; done < end; kind = UNO_KIND_MORE) {
        unsigned size = piece_size(end, done);
        char *buffer = take_buffer(channel, size, k, uno_word_tag(word), signature);
        struct uno_piece piece = fill(channel, buffer, data, total, done, end);
        put_or_queue(channel, k, kind, word, &piece, sizeof piece, buffer, size, total, signature);
        done += piece.bytes;
    }
}

UNO_COLD void uno_channel_send_slowly(struct uno_channel *channel, int k, uint64_t word, const void *data,
                                      size_t bytes, unsigned signature) {
    if (k == channel->pe->me) {
        uno_channel_send_self(channel, word, data, bytes);
        return;
    }
    if (!channel->link[k].known)
        uno_channel_become_known(channel, k);
    if (channel->link[k].extended) {
        char op[UNO_SIGNATURE_TEXT];
        uno_fail(channel->pe, "%s: the channel to PE %d is extended: it takes no standard messages",
                 uno_signature_text(signature, op), k);
    }
    if (bytes <= UNO_RING_BYTES)
        put_or_queue(channel, k, UNO_KIND_SHORT, word, data, bytes, NULL, 0, bytes, signature);
    else if (uno_share_pays(channel, k, bytes))
        uno_share_send(channel, k, word, data, bytes, signature);
    else
        uno_channel_send_pieces(channel, k, word, data, bytes, 0, bytes, UNO_KIND_FIRST, signature);
}

void uno_channel_flush(struct uno_channel *channel, unsigned signature) {
    UNO_FOR_EACH_PE (k, channel->queued, channel->pe->job->words) {
        struct uno_wait wait = {0};
        while (channel->link[k].first)
            uno_channel_wait_for_reader(channel, &wait, k, UNO_WILD, signature);
        uno_channel_wait_end(channel, &wait);
    }
}
