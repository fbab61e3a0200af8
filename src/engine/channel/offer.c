#include "offer.h"

#include "answers.h"
#include "engine/reach.h"
#include "outgoing.h"
#include "send.h"
#include "ways.h"

bool uno_offer_pays(struct uno_channel *channel, int k, size_t bytes) {
    return bytes >= UNO_SHARE_LEAST && channel->pe->spin && (channel->receives.count || channel->later) &&
           k != channel->pe->me && !channel->link[k].extended && uno_reach_allowed(channel->pe, k);
}

void uno_offer_send(struct uno_channel *channel, int k, uint64_t word, const void *data, size_t bytes,
                    struct uno_receive *answer, unsigned signature) {
    struct uno_piece offered = {.total = bytes, .at = (uint64_t)(uintptr_t)data};
    if (!channel->link[k].known)
        uno_channel_become_known(channel, k);
    uno_channel_expect_answer(channel, k, word, answer);
    answer->data = (void *)(uintptr_t)data;
    answer->bytes = bytes;
    uno_channel_put_or_queue(channel, k, UNO_KIND_OFFERED, word | UNO_WORD_ASKS, &offered, sizeof offered,
                             bytes, signature);
}
