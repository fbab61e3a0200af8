#include "room.h"

#include "engine/channel/link/queue.h"
#include "engine/group.h"
#include "progress.h"

static _Noreturn UNO_COLD void has_left(struct uno_channel *channel, int k, unsigned signature) {
    char op[UNO_SIGNATURE_TEXT];
    size_t count = 0;
    for (struct uno_queued *q = channel->link[k].first; q; q = q->next)
        count++;
    uno_fault_check(channel->pe, k, signature);
    uno_fail(channel->pe, "%s: PE %d has left without taking in what was written to it (%zu line%s queued)",
             uno_signature_text(signature, op), k, count, count == 1 ? "" : "s");
}

static void wait_for_reader(struct uno_channel *channel, struct uno_wait *wait, int tag) {
    wait->writes = true;
    if (uno_channel_progress(channel) || (wait->began && uno_channel_reclaim(channel)))
        return;
    if (wait->left)
        has_left(channel, wait->k, wait->signature);
    UNO_FOR_EACH_PE (j, channel->queued, wait->began ? channel->pe->job->words : 0)
        if (uno_channel_left(channel, j))
            has_left(channel, j, wait->signature);
    uno_channel_wait_step(channel, wait, tag);
}

void uno_channel_wait_for_reader(struct uno_channel *channel, struct uno_wait *wait, int tag) {
    channel->writing = true;
    wait_for_reader(channel, wait, tag);
    channel->writing = false;
}

void uno_channel_put_or_queue(const struct uno_sending *s, const struct uno_put *line) {
    struct uno_channel *channel = s->channel;
    struct uno_wait wait = {.pe = channel->pe, .k = s->k, .signature = s->signature};
    bool done;
    while (!(done = uno_channel_put_now(channel, s->k, line)) &&
           channel->pool_used + sizeof(struct uno_queued) + line->bytes > channel->pool) {
        channel->filling = &channel->link[s->k];
        channel->filling_lines = uno_ring_lines(line->bytes);
        uno_channel_wait_for_reader(channel, &wait, uno_word_tag(s->word));
    }
    channel->filling = NULL;
    uno_channel_wait_end(channel, &wait);
    if (!done)
        uno_channel_queue_line(channel, s->k, line, s->bytes);
}

void uno_channel_flush(struct uno_channel *channel, unsigned signature) {
    UNO_FOR_EACH_PE (k, channel->queued, channel->pe->job->words) {
        struct uno_wait wait = {.pe = channel->pe, .k = k, .signature = signature};
        while (channel->link[k].first)
            uno_channel_wait_for_reader(channel, &wait, UNO_WILD);
        uno_channel_wait_end(channel, &wait);
    }
}
