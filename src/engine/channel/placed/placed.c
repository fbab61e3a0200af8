#include "placed.h"

#include "engine/channel/eager/pieces.h"
#include "engine/channel/link/coming.h"
#include "engine/channel/link/places.h"
#include "engine/channel/link/queue.h"
#include "engine/channel/progress/incoming.h"
#include "engine/channel/progress/progress.h"
#include "engine/channel/progress/room.h"
#include "engine/far/far.h"
#include "engine/tuning.h"

enum {
    /* Bytes that go before the place is known; more would make a packet that ofi_rxm's receiver fetches. */
    FIRST = 8 * 1024,
    /* Bytes that are written at a time: the receiver takes one part while the next one is sent. Of a megabyte
     * at once the system most often sends all before the receiver begins, which takes twice as long. */
    PART = 128 * 1024,
    PARTS = 16, /* under way at a time: their number is limited for all messages of a PE together */
};

/* ---- the writer ---------------------------------------------------------------------------------------- */

/* The writing of a message. */
struct writing {
    struct uno_far_sending sending;
    unsigned parts; /* with which the network is not done */
};

static bool is_placed(const struct uno_link *link) {
    return link->far->placed == link->opened;
}

/* Wait for the reader's answer, which comes at once if it waits for the message. A wait in vain is followed
 * by messages without a wait, twice as many each time. All that comes is taken in meanwhile: the reader may
 * be here, too, and wait for the answer of a third PE. */
static void await_reader(const struct uno_sending *s) {
    struct uno_channel *channel = s->channel;
    struct uno_link *link = &channel->link[s->k];
    if (link->unjoined++ < link->unawaited)
        return;
    uint64_t until = uno_kernel_now() + UNO_PLACE_NS;
    while (!is_placed(link) && uno_kernel_now() < until)
        if (!uno_channel_take_in_all(channel) && !channel->pe->spin)
            uno_wait_give_away(channel->pe);
    link->unjoined = 0;
    if (is_placed(link))
        link->unawaited = 0;
    else if (link->unawaited < UNO_UNTRIED)
        link->unawaited = (uint8_t)(2 * link->unawaited + 1);
}

/* The network is done with a part. */
static void over(struct uno_pe *pe, struct uno_far_sending *sending) {
    ((struct writing *)sending)->parts--;
    pe->channel->moves++;
}

/* Write the next part. Returns its bytes; 0: all have been written, or there is no room in the network. */
static size_t write_part(const struct uno_sending *s, struct writing *writing, size_t done) {
    const struct uno_far_place *place = &s->channel->link[s->k].far->place;
    struct uno_net_key key = {.key = place->key, .at = place->at};
    size_t bytes = done < place->bytes ? uno_lesser(PART, place->bytes - done) : 0;
    if (!bytes || writing->parts == PARTS)
        return 0;
    writing->parts++;
    if (uno_far_write(s->channel->pe, s->k, &key, done, s->data + done, bytes, &writing->sending))
        return bytes;
    writing->parts--;
    return 0;
}

/* Write what has not gone in pieces to its place, and a line behind it. */
static void write_rest(const struct uno_sending *s, size_t done) {
    struct uno_channel *channel = s->channel;
    struct writing writing = {.sending.over = over};
    struct uno_put line = {.word = s->word, .kind = UNO_KIND_PLACED};
    struct uno_wait wait = {.pe = channel->pe, .k = s->k, .signature = s->signature};
    size_t end = channel->link[s->k].far->place.bytes;
    bool told = false;
    channel->placing = true;
    while (!told || writing.parts) {
        for (size_t bytes; (bytes = write_part(s, &writing, done));)
            done += bytes;
        if (!told && done >= end) {
            uno_channel_put_line(channel, s->k, &line);
            told = true;
        }
        if ((!told || writing.parts) && !channel->pe->hear(channel->pe))
            uno_channel_wait_for_reader(channel, &wait, uno_word_tag(s->word));
    }
    channel->placing = false;
    uno_channel_wait_end(channel, &wait);
}

void uno_placed_send(const struct uno_sending *s) {
    struct uno_link *link = &s->channel->link[s->k];
    struct uno_piece started = {.total = s->bytes, .bytes = ++link->opened};
    struct uno_put line = {
        .word = s->word, .kind = UNO_KIND_STARTED | s->mark, .bytes = sizeof started, .data = &started};
    uno_channel_put_or_queue(s, &line);
    uno_channel_send_pieces(s, UNO_KIND_MORE, 0, FIRST);
    await_reader(s);
    for (size_t done = FIRST, end; done < s->bytes; done = end) {
        if (is_placed(link)) {
            write_rest(s, done);
            return;
        }
        end = done + uno_lesser(UNO_PIECE_BYTES, s->bytes - done);
        uno_channel_send_pieces(s, UNO_KIND_MORE, done, end);
    }
}

void uno_take_place(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    (void)header;
    link->far->placed = uno_ring_word(&link->in);
    uno_ring_get(&link->in, &link->far->place, sizeof link->far->place);
    uno_ring_take(&link->in, uno_ring_lines(sizeof link->far->place));
}

/* ---- the reader ---------------------------------------------------------------------------------------- */

void uno_take_started(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    struct uno_piece started = uno_link_piece(link);
    uno_coming_begin(channel, k, &started, header);
    uno_ring_take(&link->in, uno_ring_lines(sizeof started));
    link->far->started = started.bytes;
    if (link->direct)
        uno_far_place_tell(channel, k);
}

void uno_take_placed(struct uno_channel *channel, int k, uint64_t header) {
    (void)header;
    uno_link_take_word(&channel->link[k]);
    uno_coming_end(channel, k);
}
