#include "agreed.h"

void uno_channel_other_protocol(struct uno_channel *channel, int k) {
    struct uno_pe *pe = channel->pe;
    if (channel->link[k].extended)
        uno_fail(pe, "PE %d has sent a standard message to PE %d, whose end of the channel is extended", k,
                 pe->me);
    uno_fail(pe, "PE %d has sent an extended message to PE %d, whose end of the channel is standard", k,
             pe->me);
}

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
