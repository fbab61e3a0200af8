#include "link.h"

UNO_COLD void uno_link_begin(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    int me = channel->pe->me;
    uint64_t mask = channel->mail.lines - 1;
    link->out =
        (struct uno_outlet){.ring = uno_mail_ring(&channel->mail, me, k), .mask = mask, .limit = mask + 1};
    link->in = (struct uno_inlet){.ring = uno_mail_ring(&channel->mail, k, me), .mask = mask};
    link->bell = &uno_mail_box(&channel->mail, k)->bell;
    if (channel->pe->job->mail_at == UNO_MAIL_OWN) /* every place is an address */
        link->near.bytes = SIZE_MAX;
    if (channel->begin_far)
        channel->begin_far(channel, k);
}
