/* The sending half of the channel: lines, buffers of the pool, and what waits for them. */

#include <stdlib.h>
#include <string.h>

#include "channel_inside.h"
#include "group.h"

enum {
    PIECE = 1 << UNO_PIECE_MOST, /* bytes of a long message that one line names */
    /* Lines after whose writing it is worth while to ask the reader how far it is: a buffer that was used
     * lately is in the cache, and asking moves a line. */
    ASK = 8,
};

static inline void set_bit(uint64_t *mask, int k) {
    mask[k / 64] |= (uint64_t)1 << (k % 64);
}
static inline void clear_bit(uint64_t *mask, int k) {
    mask[k / 64] &= ~((uint64_t)1 << (k % 64));
}

/* ---- buffers ---------------------------------------------------------------------------------------------
 */

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
    set_bit(channel->holding, k);
}

/* Make buffers free that PE k has finished with; that it has left also means that. */
static bool reclaim(struct uno_channel *channel, int k, bool left) {
    struct uno_link *link = &channel->link[k];
    uint64_t lines = link->out.mask + 1, taken = left ? link->out.next : uno_ring_taken(&link->out);
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
        clear_bit(channel->holding, k);
    return any;
}

bool uno_channel_reclaim(struct uno_channel *channel) {
    bool any = false;
    UNO_FOR_EACH_PE (k, channel->holding, channel->pe->job->words)
        any |= reclaim(channel, k, false);
    return any;
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
static void wait_for_readers(struct uno_channel *channel, struct uno_wait *wait, int k, int tag,
                             unsigned signature) {
    struct uno_job *job = channel->pe->job;
    if (uno_channel_progress(channel))
        return;
    if (wait->left)
        has_left(channel, k, signature);
    uint64_t others[UNO_WORDS];
    for (int w = 0; wait->began && w < job->words; w++)
        others[w] = channel->queued[w] | channel->holding[w];
    UNO_FOR_EACH_PE (j, others, wait->began ? job->words : 0) {
        /* SYNC LEFT: that it reads nothing more */
        if (uno_load32_acquire(&job->board[j].state) == UNO_LEFT) {
            if (channel->link[j].first)
                has_left(channel, j, signature);
            reclaim(channel, j, true);
        } else {
            uno_store64_relaxed(&uno_mail_box(&channel->mail, j)->wanted, 1);
        }
    }
    uno_channel_wait_step(channel, wait, k, tag, signature);
}

/* Wait until `bytes` more fit in the pool. One thing always does, however large. */
static void wait_for_pool(struct uno_channel *channel, size_t bytes, int k, int tag, unsigned signature) {
    struct uno_wait wait = {0};
    while (UNO_UNLIKELY(channel->pool_used && channel->pool_used + bytes > channel->pool))
        if (!uno_channel_reclaim(channel))
            wait_for_readers(channel, &wait, k, tag, signature);
    uno_channel_wait_end(channel, &wait);
}

static void *take_buffer(struct uno_channel *channel, unsigned size, int k, int tag, unsigned signature) {
    struct uno_link *link = &channel->link[k];
    if (link->held && link->out.next - link->reclaimed >= ASK)
        reclaim(channel, k, false);
    for (;;) {
        wait_for_pool(channel, (size_t)1 << size, k, tag, signature);
        void *buffer = uno_piece_take(&channel->heap, size);
        if (UNO_LIKELY(buffer != NULL)) {
            channel->pool_used += (size_t)1 << size;
            return buffer;
        }
        if (!channel->pool_used)
            uno_fail(channel->pe,
                     "no room for buffers: nalloc has given all of the %zu bytes of memory that "
                     "PEs share",
                     channel->heap.size);
        struct uno_wait wait = {0};
        while (!uno_channel_reclaim(channel))
            wait_for_readers(channel, &wait, k, tag, signature);
        uno_channel_wait_end(channel, &wait);
    }
}

/* ---- lines -----------------------------------------------------------------------------------------------
 */

/* The first message to PE k: it is to look at this ring from now on. */
static UNO_COLD void become_known(struct uno_channel *channel, int k) {
    int me = channel->pe->me;
    uno_or64_seq_cst(&uno_mail_box(&channel->mail, k)->writer[me / 64], (uint64_t)1 << (me % 64));
    channel->link[k].known = true;
}

static void put(struct uno_channel *channel, int k, unsigned kind, uint64_t word, const void *data,
                size_t bytes, void *buffer, unsigned size) {
    struct uno_link *link = &channel->link[k];
    if (buffer)
        hold(channel, k, link->out.next, buffer, size);
    uno_ring_put(&link->out, kind, word, data, bytes);
    uno_bell_ring(&uno_mail_box(&channel->mail, k)->bell, &link->rung);
}

static bool deliver(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    bool any = false;
    while (link->first && uno_ring_room(&link->out, uno_ring_lines(link->first->bytes))) {
        struct uno_queued *q = link->first;
        put(channel, k, q->kind, q->word, q->data, q->bytes, q->buffer, q->size);
        uno_channel_forget(channel, UNO_NOTE_QUEUED, q->note);
        channel->pool_used -= sizeof *q + q->bytes;
        link->first = q->next;
        free(q);
        any = true;
        channel->moves++;
    }
    if (!link->first)
        clear_bit(channel->queued, k);
    return any;
}

bool uno_channel_deliver(struct uno_channel *channel) {
    bool any = false;
    UNO_FOR_EACH_PE (k, channel->queued, channel->pe->job->words)
        any |= deliver(channel, k);
    return any;
}

/* Put a line into the ring, or where there is no room queue it. total: bytes of its message; 0 if this is not
 * the first line. */
static void put_or_queue(struct uno_channel *channel, int k, unsigned kind, uint64_t word, const void *data,
                         size_t bytes, void *buffer, unsigned size, size_t total, unsigned signature) {
    struct uno_link *link = &channel->link[k];
    if (link->first)
        deliver(channel, k);
    if (!link->first && uno_ring_room(&link->out, uno_ring_lines(bytes))) {
        put(channel, k, kind, word, data, bytes, buffer, size);
        return;
    }
    struct uno_queued *q = uno_channel_memory(channel, malloc(sizeof *q + bytes));
    wait_for_pool(channel, sizeof *q + bytes, k, uno_word_tag(word), signature);
    channel->pool_used += sizeof *q + bytes;
    *q = (struct uno_queued){
        .word = word, .buffer = buffer, .size = size, .kind = kind, .bytes = (unsigned)bytes};
    if (bytes)
        memcpy(q->data, data, bytes);
    q->note = kind == UNO_KIND_MORE ? UNO_NOTE_NONE
                                    : uno_channel_note(channel, UNO_NOTE_QUEUED, k, uno_word_context(word),
                                                       uno_word_tag(word), total);
    if (link->first)
        link->last->next = q;
    else
        link->first = q;
    link->last = q;
    set_bit(channel->queued, k);
}

static void send_long(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                      unsigned signature) {
    int tag = uno_word_tag(word);
    for (size_t at = 0; at < bytes;) {
        size_t rest = bytes - at;
        unsigned size = uno_piece_size(rest < PIECE ? rest : PIECE);
        struct uno_piece piece = {.total = bytes, .bytes = rest < PIECE ? rest : PIECE};
        char *buffer = take_buffer(channel, size, k, tag, signature);
        memcpy(buffer, data + at, piece.bytes);
        piece.at = (uint64_t)(buffer - channel->heap.base);
        put_or_queue(channel, k, at ? UNO_KIND_MORE : UNO_KIND_FIRST, word, &piece, sizeof piece, buffer,
                     size, bytes, signature);
        at += piece.bytes;
    }
}

UNO_COLD void uno_channel_send_slowly(struct uno_channel *channel, int k, uint64_t word, const void *data,
                                      size_t bytes, unsigned signature) {
    if (k == channel->pe->me) {
        uno_channel_send_self(channel, word, data, bytes);
        return;
    }
    if (!channel->link[k].known)
        become_known(channel, k);
    if (bytes <= UNO_RING_BYTES)
        put_or_queue(channel, k, UNO_KIND_SHORT, word, data, bytes, NULL, 0, bytes, signature);
    else
        send_long(channel, k, word, data, bytes, signature);
}

void uno_channel_flush(struct uno_channel *channel, unsigned signature) {
    UNO_FOR_EACH_PE (k, channel->queued, channel->pe->job->words) {
        struct uno_wait wait = {0};
        while (channel->link[k].first)
            wait_for_readers(channel, &wait, k, UNO_WILD, signature);
        uno_channel_wait_end(channel, &wait);
    }
}
