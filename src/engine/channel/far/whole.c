#include "whole.h"

#include <string.h>

#include "engine/channel/link/coming.h"
#include "engine/observe.h"
#include "way.h"

/* Such a packet is a head, in which `word` is the message's, and its data. `detail` has the message's mark in
 * its upper half, and in its lower one, modulo their number, the lines of the receiver that the sender has
 * taken: no ring has as many. */
enum { TAKEN = 0xffff };

/* Return the lines that a message counts as: those that have its data, or the one that names its piece. */
static inline unsigned lines_of(size_t bytes) {
    return bytes <= UNO_RING_BYTES ? uno_ring_lines(bytes) : uno_ring_lines(sizeof(struct uno_piece));
}

bool uno_whole_send(struct uno_far_link *far, unsigned mark, uint64_t word, const void *data, size_t bytes) {
    struct uno_far_way *way = (struct uno_far_way *)far;
    struct uno_link *link = way->link;
    struct uno_pe *pe = way->channel->pe;
    unsigned lines = lines_of(bytes);
    if (link->first || way->sent != link->out.next || bytes > UNO_PIECE_BYTES ||
        sizeof(struct uno_far_head) + bytes > pe->far->least || !uno_ring_room(&link->out, lines))
        return false;
    uint64_t taken = link->in.next;
    struct uno_far_head head = {
        .kind = UNO_FAR_WHOLE, .from = (uint16_t)pe->me, .detail = mark | (taken & TAKEN), .word = word};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)(uintptr_t)data, bytes}};
    if (!uno_far_send(pe, way->k, parts, bytes ? 2 : 1, NULL))
        return false;
    way->sent = link->out.next += lines;
    uno_far_note_told(way, taken);
    return true;
}

/* Give the message to the receive that asks for it. Returns false if there is none, or the message has to
 * wait for others, or its sender waits for an answer, which is no matter of this. */
static inline bool give(struct uno_far_way *way, unsigned mark, uint64_t word, const char *data,
                        size_t bytes) {
    struct uno_channel *channel = way->channel;
    struct uno_link *link = way->link;
    struct uno_envelope envelope = {(uint32_t)(word >> 32), way->k, uno_word_tag(word)};
    if (way->freed != way->come || link->extended || word & UNO_WORD_ASKS)
        return false;
    struct uno_receive *receive = uno_coming_match(channel, &envelope);
    if (!receive)
        return false;
    size_t some = uno_lesser(bytes, receive->room);
    if (some <= UNO_RING_FIRST)
        uno_copy_short(receive->data, data, some);
    else
        memcpy(receive->data, data, some);
    receive->mark = (uint16_t)(mark >> 16);
    uno_receive_complete(receive, &envelope, bytes);
    channel->moves++;
    unsigned lines = lines_of(bytes);
    way->freed = way->come += lines;
    uno_ring_take(&link->in, lines);
    /* The next packet tells of fewer lines: no writer waits for them, since the others of its ring are enough
     * for the longest message, and they name no buffer. */
    if (uno_far_is_to_tell(way, &link->in))
        uno_far_go_later(way, channel->far->unsent);
    return true;
}

/* Put the message into the ring. Returns true if the packet stays. */
static __attribute__((noinline)) bool put(struct uno_far_way *way, unsigned mark, uint64_t word,
                                          const char *data, size_t bytes, void *packet) {
    const struct uno_inlet *in = &way->link->in;
    struct uno_outlet writer = {.ring = in->ring, .mask = in->mask, .next = way->come};
    struct uno_piece piece = {.total = bytes, .bytes = bytes};
    bool stays = false;
    if (bytes <= UNO_RING_BYTES) {
        uno_ring_put(&writer, UNO_KIND_SHORT | mark, word, data, bytes);
    } else {
        data = uno_far_keep(way, way->come & in->mask, data, bytes, packet, &stays);
        piece.at = (uint64_t)(uintptr_t)data;
        uno_ring_put(&writer, UNO_KIND_FIRST | mark, word, &piece, sizeof piece);
    }
    way->come = writer.next;
    uno_far_note_lines(way->channel, way->k);
    return stays;
}

bool uno_whole_take(struct uno_pe *pe, const struct uno_far_head *head, const char *data, size_t bytes,
                    void *packet) {
    struct uno_link *link = uno_link_of(pe->channel, head->from);
    struct uno_far_way *way = (struct uno_far_way *)link->far;
    unsigned mark = head->detail & ~(unsigned)TAKEN;
    uint64_t untaken = (link->out.next - head->detail) & TAKEN;
    if (bytes > UNO_PIECE_BYTES || untaken > link->out.mask + 1 || untaken > link->out.next)
        uno_fail(pe, "PE %d has sent a packet of %zu bytes, which is no message", head->from, bytes);
    uno_far_note_taken(link, link->out.next - untaken);
    bool stays = !give(way, mark, head->word, data, bytes) && put(way, mark, head->word, data, bytes, packet);
    if (UNO_UNLIKELY(pe->job->observe && p_heard))
        p_heard(head->from);
    return stays;
}
