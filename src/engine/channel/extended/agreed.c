#include "agreed.h"

#include "engine/channel/link/coming.h"

void *uno_channel_agreed_place(struct uno_channel *channel, int k, size_t bytes) {
    struct uno_agreed *a = channel->link[k].agreed;
    struct uno_pe *pe = channel->pe;
    if (UNO_UNLIKELY(a->arrived == a->requested))
        uno_fail(pe, "PE %d has sent an extended message of %zu bytes to PE %d, which had not requested it",
                 k, bytes, pe->me);
    unsigned i = (a->arrived + 1) % UNO_REQUESTS;
    if (UNO_UNLIKELY(a->request[i].bytes != bytes))
        uno_fail(pe, "PE %d has sent an extended message of %zu bytes to PE %d, which had requested %zu", k,
                 bytes, pe->me, a->request[i].bytes);
    return a->request[i].data;
}

void uno_channel_agreed_done(struct uno_channel *channel, int k) {
    struct uno_agreed *a = channel->link[k].agreed;
    unsigned i = ++a->arrived % UNO_REQUESTS;
    uno_store64_relaxed(&channel->link[k].in.ring->arrived, a->arrived);
    *a->request[i].flag = 1;
    if (a->arrived == a->requested)
        uno_bit_clear(channel->asking, k);
}

void uno_take_agreed(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_inlet *in = &channel->link[k].in;
    size_t bytes = uno_line_bytes(header);
    uno_ring_get(in, uno_channel_agreed_place(channel, k, bytes), bytes);
    uno_ring_take(in, uno_ring_lines(bytes));
    uno_channel_agreed_done(channel, k);
}

static void take_piece(struct uno_channel *channel, int k, const struct uno_piece *piece) {
    if (uno_coming_piece(channel, k, piece))
        uno_channel_agreed_done(channel, k);
}

void uno_take_agreed_first(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    struct uno_piece piece = uno_link_piece(link);
    (void)header;
    link->total = link->room = piece.total;
    link->got = 0;
    link->to = uno_channel_agreed_place(channel, k, piece.total);
    take_piece(channel, k, &piece);
}

void uno_take_agreed_more(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_piece piece = uno_link_piece(&channel->link[k]);
    (void)header;
    take_piece(channel, k, &piece);
}

void uno_take_agreed_done(struct uno_channel *channel, int k, uint64_t header) {
    (void)header;
    uno_channel_agreed_place(channel, k, uno_link_take_word(&channel->link[k]));
    uno_channel_agreed_done(channel, k);
}
