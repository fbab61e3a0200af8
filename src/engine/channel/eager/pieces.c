#include "pieces.h"

#include "engine/channel/progress/incoming.h"
#include "engine/channel/progress/progress.h"
#include "engine/group.h"
#include "engine/tuning.h"
#include "engine/wait.h"
#include "engine/channel/link/queue.h"

enum {
    /* Lines after whose writing it is worth while to ask the reader how far it is: a buffer that was used
     * lately is in the cache, and asking moves a line. */
    ASK = 8,
};

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

/* A writer that is faster than its reader would fill ever more buffers, which are in no cache. So it waits
 * until few are left, as long as the reader goes on; and if it does not, does not wait again until it has.
 * The reader may wait here itself, with messages for this one: those that are asked for are taken in. */
static void await_reader(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    uint64_t before = link->reclaimed;
    int polls = link->reads && channel->pe->spin ? UNO_READER_LOOKS : 0;
    uno_channel_reclaim_from(channel, k);
    for (; polls && (link->first || link->out.next - link->reclaimed >= ASK); polls--) {
        uint64_t last = link->reclaimed;
        if (channel->receives.count && uno_ring_look(&link->in))
            uno_channel_take_in(channel, k);
        uno_pause();
        uno_channel_reclaim_from(channel, k);
        uno_channel_deliver_to(channel, k);
        if (link->reclaimed != last)
            polls = UNO_READER_LOOKS;
    }
    link->reads = link->reclaimed != before;
}

/* Cut the next piece, once the pool has room for it. */
static void cut(const struct uno_sending *s, size_t done, size_t end, struct uno_piece *piece,
                struct uno_put *line) {
    struct uno_channel *channel = s->channel;
    struct uno_link *link = &channel->link[s->k];
    struct uno_wait wait = {.pe = channel->pe, .k = s->k, .signature = s->signature};
    if (link->held && link->out.next - link->reclaimed >= ASK)
        await_reader(channel, s->k);
    while (!uno_channel_cut(channel, s->data, s->bytes, done, end, piece, line))
        if (!uno_channel_reclaim(channel))
            uno_channel_wait_for_reader(channel, &wait, uno_word_tag(s->word));
    uno_channel_wait_end(channel, &wait);
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

void uno_channel_send_pieces(const struct uno_sending *s, unsigned first, size_t done, size_t end) {
    struct uno_piece piece;
    struct uno_put line = {.word = s->word, .kind = first};
    for (; done < end; done += piece.bytes, line.kind = UNO_KIND_MORE) {
        cut(s, done, end, &piece, &line);
        uno_channel_put_or_queue(s, &line);
    }
}

void uno_channel_flush(struct uno_channel *channel, unsigned signature) {
    UNO_FOR_EACH_PE (k, channel->queued, channel->pe->job->words) {
        struct uno_wait wait = {.pe = channel->pe, .k = k, .signature = signature};
        while (channel->link[k].first)
            uno_channel_wait_for_reader(channel, &wait, UNO_WILD);
        uno_channel_wait_end(channel, &wait);
    }
}
