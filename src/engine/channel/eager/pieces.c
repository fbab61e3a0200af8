#include "pieces.h"

#include "engine/channel/link/coming.h"
#include "engine/channel/link/queue.h"
#include "engine/channel/progress/incoming.h"
#include "engine/channel/progress/progress.h"
#include "engine/channel/progress/room.h"
#include "engine/tuning.h"

enum {
    /* Lines after whose writing it is worth while to ask the reader how far it is: a buffer that was used
     * lately is in the cache, and asking moves a line. */
    ASK = 8,
};

/* A writer that is faster than its reader would fill ever more buffers, which are in no cache. So it waits
 * until few are left, as long as the reader goes on; and if it does not, does not wait again until it has.
 * The reader may wait here itself, with messages for this one: those that are asked for are taken in. */
static void await_reader(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    uint64_t before = link->reclaimed;
    int polls = link->reads && channel->pe->spin ? UNO_READER_LOOKS : 0;
    uno_channel_follow(channel, k);
    for (; polls && (link->first || link->out.next - link->reclaimed >= ASK); polls--) {
        uint64_t last = link->reclaimed;
        if (channel->receives.count && uno_ring_look(&link->in))
            uno_channel_take_in(channel, k);
        uno_pause();
        uno_channel_follow(channel, k);
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

void uno_channel_send_pieces(const struct uno_sending *s, unsigned first, size_t done, size_t end) {
    struct uno_piece piece;
    struct uno_put line = {.word = s->word, .kind = first};
    for (; done < end; done += piece.bytes, line.kind = UNO_KIND_MORE) {
        cut(s, done, end, &piece, &line);
        uno_channel_put_or_queue(s, &line);
    }
}

static void take_piece(struct uno_channel *channel, int k, const struct uno_piece *piece) {
    if (uno_coming_piece(channel, k, piece))
        uno_coming_end(channel, k);
}

void uno_take_first(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_piece piece = uno_link_piece(&channel->link[k]);
    uno_coming_begin(channel, k, &piece, header);
    take_piece(channel, k, &piece);
}

void uno_take_more(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_piece piece = uno_link_piece(&channel->link[k]);
    (void)header;
    take_piece(channel, k, &piece);
}
