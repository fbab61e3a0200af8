#include "channel.h"

#include "engine/fault.h"
#include "offered/kept.h"
#include "progress/room.h"

#define POOL ((size_t)64 << 20)

/* The kinds of lines, and which room takes each in. */
static const struct uno_kind_row kinds[1 << 8] = {
#define ROW(kind, begins, take) [UNO_KIND_##kind] = {UNO_BEGINS_##begins, take},
    UNO_KIND_TABLE(ROW)
#undef ROW
};

/* While this PE waits in an operation. */
static bool go_on(struct uno_pe *pe) {
    bool any = uno_channel_advance(pe->channel);
    /* Whoever offers may be waited for, and posts nothing until this PE has met it. */
    if (UNO_UNLIKELY(pe->channel->offered))
        any |= uno_channel_fetch_offered(pe->channel);
    return any;
}

UNO_COLD struct uno_channel *uno_channel_start(struct uno_pe *pe) {
    struct uno_channel *channel = calloc(1, sizeof *channel + (size_t)pe->n * sizeof *channel->link);
    if (!channel)
        uno_fail(pe, "out of memory for messages");
    channel->pe = pe;
    channel->kinds = kinds;
    channel->mail = uno_mail_map(pe);
    channel->box = uno_mail_box(&channel->mail, pe->me);
    channel->windows = uno_windows_of(pe, &channel->mail);
    channel->heap =
        (struct uno_heap){.grow = uno_windows_grow, .shrink = uno_windows_shrink, .owner = &channel->windows};
    channel->pool = POOL;
    channel->view.n = pe->n;
    pe->channel = channel;
    pe->progress = go_on;
    pe->bell = &channel->box->bell;
    uno_store32_relaxed(&pe->board->messages, 1);
    return channel;
}

void uno_channel_end(struct uno_pe *pe) {
    struct uno_channel *channel = pe->channel;
    if (!channel)
        return;
    uno_channel_flush(channel, UNO_SIGNATURE(UNO_EXIT, 0));
    if (channel->end_far)
        channel->end_far(channel);
    pe->channel = NULL;
    pe->progress = NULL;
    pe->bell = NULL;
    for (int k = 0; k < pe->n; k++) {
        if (!uno_link_has_begun(&channel->link[k]))
            continue;
        free(channel->link[k].held);
        free(channel->link[k].agreed);
        free(channel->link[k].way);
        uno_spans_drop(&channel->link[k].spans);
    }
    for (struct uno_message *m; (m = channel->later);) {
        channel->later = m->next[0];
        free(m);
    }
    uno_messages_free(&channel->messages);
    uno_receives_free(&channel->receives);
    uno_heap_free(&channel->heap);
    uno_windows_end(&channel->windows);
    free(channel->note);
    if (pe->job->mail_at != UNO_MAIL_OWN)
        uno_mail_unmap(&channel->mail);
    free(channel);
}
