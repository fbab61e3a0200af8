#include "foreign.h"

#include <errno.h>

void uno_channel_let_go(struct uno_channel *channel, int k) {
    if (channel->pe->job->mail_at == UNO_MAIL_OWN || channel->link[k].far)
        return;
    uno_spans_drop(&channel->link[k].spans);
    channel->link[k].near = (struct uno_span){0};
}

char *uno_channel_reach_anew(struct uno_channel *channel, int k, uint64_t at, size_t bytes) {
    const struct uno_mail *mail = &channel->mail;
    struct uno_link *link = &channel->link[k];
    uint64_t heap = channel->pe->job->mail_at + uno_mail_heap_at(mail, k), last = heap + mail->heap;
    size_t step = uno_mail_step(channel->pe->n);
    if (at < heap || at > last || bytes > last - at) { /* somebody has written over it */
        errno = EFAULT;
        return NULL;
    }
    uint64_t from = at - (at - heap) % step, end = at + bytes + step - (at + bytes - from) % step;
    if (end > last)
        end = last;
    const struct uno_span *span = uno_spans_reach(channel->pe, &link->spans, at, bytes, from, end);
    for (int i = 0; !span && i < channel->pe->n; i++)
        uno_channel_let_go(channel, i); /* it can be mapped again */
    if (!span)
        span = uno_spans_reach(channel->pe, &link->spans, at, bytes, from, end);
    link->near = span ? *span : (struct uno_span){0};
    return uno_span_at(&link->near, at, bytes);
}
