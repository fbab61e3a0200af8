#include "lines.h"

#include <string.h>

#include "engine/group.h"
#include "engine/observe.h"
#include "engine/wait.h"
#include "way.h"
#include "whole.h"

/* Return true if a line of this kind is followed by a piece, whose place it names. */
static bool has_piece(unsigned kind) {
    return kind == UNO_KIND_FIRST || kind == UNO_KIND_MORE || kind == UNO_KIND_PULLED ||
           kind == UNO_KIND_AGREED_FIRST || kind == UNO_KIND_AGREED_MORE;
}

/* ---- out -------------------------------------------------------------------------------------------------
 */

/* The packet that begins with a line. */
struct batch {
    struct iovec part[UNO_NET_PARTS];
    int parts;
    unsigned lines;
    size_t bytes;
};

static void add(struct batch *batch, const void *data, size_t bytes) {
    batch->part[batch->parts++] = (struct iovec){(void *)(uintptr_t)data, bytes};
    batch->bytes += bytes;
}

/* Return how many bytes at the end of its last line a message of so many bytes does not use. */
static size_t unused(size_t bytes) {
    return UNO_RING_FIRST + (uno_ring_lines(bytes) - 1) * (size_t)UNO_RING_NEXT - bytes;
}

/* Gather whole messages from line `sent` on: as many as lie behind each other in the ring, up to one with a
 * piece; or a single one that goes round the end of the ring. Bytes that the last message does not use are
 * left out: a short message alone then is a packet that most providers send at once. */
static void gather(struct uno_far_way *far, struct batch *batch) {
    struct uno_link *link = far->link;
    const struct uno_outlet *out = &link->out;
    const struct uno_line *line = out->ring->line;
    uint64_t first = far->sent, end = out->mask + 1 - (first & out->mask);
    struct uno_piece piece = {0};
    size_t empty = 0;
    while (first + batch->lines < out->next && !piece.bytes) {
        uint64_t at = first + batch->lines;
        uint64_t header = uno_load64_relaxed(&line[at & out->mask].header);
        unsigned lines = uno_ring_lines(uno_line_bytes(header));
        if (batch->lines && batch->lines + lines > end)
            break;
        batch->lines += lines;
        empty = unused(uno_line_bytes(header));
        if (has_piece(uno_line_kind(header)))
            uno_read_plain(&piece, &line[at & out->mask].word[1], sizeof piece);
        if (batch->lines >= end)
            break;
    }
    uint64_t straight = batch->lines < end ? batch->lines : end;
    add(batch, &line[first & out->mask], straight * sizeof *line);
    if (straight < batch->lines)
        add(batch, line, (batch->lines - straight) * sizeof *line);
    if (piece.bytes) {
        add(batch, link->held[(first + batch->lines - 1) & out->mask].buffer, piece.bytes);
    } else {
        batch->part[batch->parts - 1].iov_len -= empty;
        batch->bytes -= empty;
    }
}

/* The network is done with a packet. It may be so only after the end of the channel, where the other PE has
 * left. */
static void over(struct uno_pe *pe, struct uno_far_sending *sending) {
    if (pe->channel)
        pe->channel->far->way[sending->to].flying--;
}

/* Send a packet with a number of lines, and the number of those that this PE has taken. Returns false if
 * there is no room. */
static bool send(struct uno_far_way *far, struct batch *batch, struct uno_far_out *out) {
    struct uno_pe *pe = far->channel->pe;
    uint64_t taken = far->link->in.next;
    out->head = (struct uno_far_head){
        .kind = UNO_FAR_LINES, .from = (uint16_t)pe->me, .detail = batch->lines, .word = taken};
    batch->part[0] = (struct iovec){&out->head, sizeof out->head};
    bool small = sizeof out->head + batch->bytes <= pe->far->least;
    out->sending.over = over;
    far->flying += !small;
    if (!uno_far_send(pe, far->k, batch->part, batch->parts, small ? NULL : &out->sending)) {
        far->flying -= !small;
        return false;
    }
    uno_far_note_told(far, taken);
    return true;
}

/* Send the lines that were put into the ring. Returns false if there is no room for all. */
static bool send_lines(struct uno_far_way *far) {
    struct uno_link *link = far->link;
    if (!far->out)
        far->out = uno_channel_memory(far->channel, calloc(link->out.mask + 1, sizeof *far->out));
    while (far->sent < link->out.next) {
        struct batch batch = {.parts = 1};
        gather(far, &batch);
        if (!send(far, &batch, &far->out[far->sent & link->out.mask]))
            return false;
        far->sent += batch.lines;
    }
    return true;
}

/* Tell PE k how many of its lines were taken. Returns false if there is no room. */
static bool tell(struct uno_far_way *far) {
    struct uno_far_out out;
    struct batch batch = {.parts = 1};
    return send(far, &batch, &out);
}

/* Give back the packets whose pieces have been taken. */
static void free_taken(struct uno_far_way *far) {
    struct uno_link *link = far->link;
    for (; far->freed < link->in.next; far->freed++) {
        uint64_t i = far->freed & link->in.mask;
        if (far->packet && far->packet[i]) {
            uno_far_release(far->channel->pe, far->packet[i]);
            far->packet[i] = NULL;
            far->channel->far->kept--;
            far->pieces++;
        }
        if (far->copy && far->copy[i]) {
            free(far->copy[i]);
            far->copy[i] = NULL;
            far->pieces++;
        }
    }
}

/* Do for PE k as uno_link_ring does for a neighbour: lines were put into the ring to it, or taken from the
 * one from it. */
static void ring(struct uno_far_link *base) {
    struct uno_far_way *far = (struct uno_far_way *)base;
    struct uno_far_links *links = far->channel->far;
    struct uno_link *link = far->link;
    free_taken(far);
    bool done = send_lines(far);
    if (link->in.next == far->come)
        uno_bit_clear(far->channel->unread, far->k);
    if (link->in.next != far->told)
        uno_far_go_later(far, links->untold);
    if (done && uno_far_is_to_tell(far, &link->in))
        done = tell(far);
    if (done)
        uno_bit_clear(links->unsent, far->k);
    else
        uno_far_go_later(far, links->unsent);
}

/* ---- in --------------------------------------------------------------------------------------------------
 */

/* Keep the piece behind a line. Returns true if the packet stays. */
static bool keep(struct uno_far_way *far, uint64_t i, struct uno_line *line, const char *data, void *packet) {
    struct uno_piece piece;
    bool stays;
    uno_read_plain(&piece, &line->word[1], sizeof piece);
    piece.at = (uint64_t)(uintptr_t)uno_far_keep(far, i, data, piece.bytes, packet, &stays);
    uno_write_plain(&line->word[1], &piece, sizeof piece);
    return stays;
}

/* Put the lines of one message, which begins at `from`, into the ring; `end`: of the packet. Returns their
 * number, and whether the packet is kept for it. */
static unsigned put(struct uno_far_way *far, const struct uno_line *from, const char *data, const char *end,
                    void *packet, bool *kept) {
    const struct uno_inlet *in = &far->link->in;
    struct uno_line *first = &in->ring->line[far->come & in->mask];
    uint64_t header = uno_load64_relaxed(&from->header);
    unsigned lines = uno_ring_lines(uno_line_bytes(header));
    for (unsigned i = 0; i < lines; i++) {
        struct uno_line *line = &in->ring->line[(far->come + i) & in->mask];
        if (i)
            uno_store64_relaxed(&line->header, uno_load64_relaxed(&from[i].header));
        const char *words = (const char *)from[i].word;
        uno_write_plain(line->word, words, uno_lesser(sizeof line->word, (size_t)(end - words)));
    }
    if (has_piece(uno_line_kind(header)))
        *kept |= keep(far, far->come & in->mask, first, data, packet);
    far->come += lines;
    /* SYNC LINE: all lines of the message, and the piece that it names */
    uno_store64_release(&first->header, header);
    return lines;
}

/* Lines, and the number of lines that were taken, have come from a PE. */
static bool take(struct uno_pe *pe, const struct uno_far_head *head, const char *data, size_t bytes,
                 void *packet) {
    struct uno_link *link = uno_link_of(pe->channel, head->from);
    struct uno_far_way *far = (struct uno_far_way *)link->far;
    const struct uno_line *line = (const void *)data;
    bool kept = false;
    size_t least = head->detail ? head->detail * sizeof *line - sizeof line->word : 0;
    if (head->detail > link->in.mask + 1 || least > bytes || head->word > link->out.next)
        uno_fail(pe, "PE %d has sent %u lines in %zu bytes, which is no packet of lines", head->from,
                 head->detail, bytes);
    uno_far_note_taken(link, head->word);
    for (unsigned i = 0; i < head->detail;)
        i += put(far, line + i, data + head->detail * sizeof *line, data + bytes, packet, &kept);
    if (head->detail)
        uno_far_note_lines(pe->channel, head->from);
    if (UNO_UNLIKELY(pe->job->observe && p_heard && head->detail))
        p_heard(head->from);
    return kept;
}

/* ---- the beginning and the end
 * ----------------------------------------------------------------------------- */

/* As of channel->begin_far. */
static void begin(struct uno_channel *channel, int k) {
    struct uno_far_way *far = &channel->far->way[k];
    struct uno_link *link = &channel->link[k];
    if (!uno_is_far(channel->pe, k))
        return;
    *far = (struct uno_far_way){
        .base = {.ring = ring, .send = uno_whole_send}, .channel = channel, .link = link, .k = k};
    link->far = &far->base;
    link->near.bytes = SIZE_MAX; /* what comes from it lies in this process */
}

/* Go on with what had no room; and when nothing comes, tell others of what was taken: a PE may wait for the
 * buffers of these lines. */
static void go_on(struct uno_pe *pe, bool any) {
    struct uno_far_links *links = pe->channel->far;
    UNO_FOR_EACH_PE (k, links->unsent, pe->job->words)
        ring(&links->way[k].base);
    UNO_FOR_EACH_PE (k, links->untold, any ? 0 : pe->job->words)
        tell(&links->way[k]);
    uint64_t left = 0;
    for (int w = 0; w < pe->job->words; w++)
        left |= links->unsent[w] | links->untold[w];
    pe->far->goes_on = left;
}

/* As of pe->owes. */
static bool owes(struct uno_pe *pe) {
    const struct uno_far_links *links = pe->channel->far;
    uint64_t any = pe->channel->placing;
    for (int w = 0; w < pe->job->words; w++)
        any |= links->unsent[w] | links->untold[w];
    return any;
}

/* Return the first PE to which something is still to be sent, or on its way, and that may take it; -1: there
 * is none. */
static int unsent(const struct uno_channel *channel) {
    const struct uno_far_links *links = channel->far;
    for (int k = 0; k < channel->pe->n; k++) {
        bool left = links->way[k].flying || links->unsent[k / 64] >> k % 64 & 1;
        if (left && !channel->pe->far->peer[k].broken && !uno_channel_left(channel, k))
            return k;
    }
    return -1;
}

/* This PE reads nothing more. */
static bool pass_over(struct uno_pe *pe, const struct uno_far_head *head, const char *data, size_t bytes,
                      void *packet) {
    (void)pe, (void)head, (void)data, (void)bytes, (void)packet;
    return false;
}

/* Wait until everything that was written has gone: its memory ends with the channel. */
static void end(struct uno_channel *channel) {
    struct uno_pe *pe = channel->pe;
    for (int k; (k = unsent(channel)) >= 0;) {
        struct uno_wait wait = {.pe = pe, .k = k, .signature = UNO_SIGNATURE(UNO_EXIT, 0)};
        while (unsent(channel) == k)
            if (!uno_far_poll(pe))
                uno_wait_step(&wait, NULL, 0);
        uno_wait_end(&wait);
    }
    uno_far_sleepless(pe); /* the bell ends with the channel */
    pe->far->take[UNO_FAR_LINES] = pe->far->take[UNO_FAR_WHOLE] = pass_over;
    pe->far->goes_on = false;
    pe->owes = NULL;
    for (int k = 0; k < pe->n; k++) {
        struct uno_far_way *far = &channel->far->way[k];
        if (!far->link)
            continue;
        for (uint64_t i = 0; far->packet && i <= channel->link[k].in.mask; i++) {
            if (far->packet[i])
                uno_far_release(pe, far->packet[i]);
            free(far->copy[i]);
        }
        free(far->packet);
        free(far->copy);
        if (far->base.exposed) /* of a message that this PE has not waited for */
            uno_far_hide(pe, far->base.exposed);
        uno_far_free_later(pe, far->out); /* those to PEs that have left may still fail */
    }
    free(channel->far);
}

void uno_far_links_start(struct uno_channel *channel) {
    struct uno_pe *pe = channel->pe;
    size_t bytes = sizeof *channel->far + (size_t)pe->n * sizeof *channel->far->way;
    channel->far = uno_channel_memory(channel, calloc(1, bytes));
    pe->far->take[UNO_FAR_LINES] = take;
    pe->far->take[UNO_FAR_WHOLE] = uno_whole_take;
    pe->far->go_on = go_on;
    pe->owes = owes;
    channel->begin_far = begin;
    channel->end_far = end;
}
