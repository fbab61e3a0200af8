#include "ways.h"

#include <stdlib.h>

#include "engine/kernel.h"
#include "engine/reach.h"
#include "engine/trial.h"
#include "engine/tuning.h"
#include "incoming.h"
#include "outgoing.h"
#include "send.h"
#include "share.h"
#include "split.h"

enum {
    TRIES = 4,   /* messages by either way in a trial: the first may find other data in the caches */
    LASTS = 512, /* messages from one trial to the next, */
    SOON = 16,   /* and after one in which the reader was not at it */
    LEAST = 13,  /* log2 of the bytes of the shortest ones, */
    SIZES = 12,  /* and powers of two from there on; the last one is that of all longer ones */
};

/* Of messages of about one size to one PE. Most of what comes first is few: so they are copied once, until
 * there is something to compare. Starts as zeros. */
enum { SHARED, PIECES };
struct uno_way {
    struct uno_trial
        trial;    /* SHARED: copied once, by both; PIECES: in pieces, until the reader had them all */
    uint32_t row; /* ns of pieces in a row, where the slower one of writer and reader counts, as of a trial */
};

/* ---- the trial --------------------------------------------------------------------------------------- */

static void begin_trial(struct uno_way *way) {
    uno_trial_begin(&way->trial, TRIES);
    way->row = UINT32_MAX;
}

static unsigned rests(const struct uno_way *way) {
    return uno_trial_has_told(&way->trial) ? LASTS : SOON;
}

/* Until the reader has taken all that was sent to it, for about as long as it takes to copy the message
 * again. What it sends itself, and is asked for, is taken in meanwhile. */
static bool await_taken(struct uno_channel *channel, int k, size_t bytes) {
    struct uno_link *link = &channel->link[k];
    for (size_t looks = UNO_JOIN_LOOKS + bytes / UNO_LOOK_BYTES; looks; looks--) {
        if (!link->first && uno_ring_taken(&link->out) == link->out.next) {
            uno_channel_reclaim_from(channel, k); /* the next one finds buffers that are in the cache */
            return true;
        }
        if (channel->receives.count && uno_ring_look(&link->in))
            uno_channel_take_in(channel, k);
        uno_channel_deliver_to(channel, k);
        uno_pause();
    }
    return false;
}

static void try_pieces(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                       unsigned signature, struct uno_way *way) {
    uint64_t began = uno_kernel_now();
    uno_channel_send_pieces(channel, k, word, data, bytes, 0, bytes,
                            UNO_KIND_FIRST | uno_signature_mark(signature), uno_signature_alone(signature));
    uint64_t written = uno_kernel_now() - began;
    if (!await_taken(channel, k, bytes)) {
        uno_trial_end(&way->trial, rests(way));
        return;
    }
    uint64_t taken = uno_kernel_now() - began, slower = written > taken - written ? written : taken - written;
    uno_trial_learn(&way->trial, taken);
    if (slower < way->row)
        way->row = (uint32_t)slower;
}

static void try_share(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                      unsigned signature, struct uno_way *way) {
    uint64_t began = uno_kernel_now();
    if (uno_share_send(channel, k, word, data, bytes, signature))
        uno_trial_learn(&way->trial, uno_kernel_now() - began);
}

/* ---- what follows from it ---------------------------------------------------------------------------- */

/* Whether both ways are open to the message, of which the faster one is to be found. */
static bool is_open(struct uno_channel *channel, int k, size_t bytes) {
    return bytes >= (channel->pe->spin ? UNO_SHARE_LEAST : UNO_SHARE_LEAST_MANY) &&
           uno_split_parts(bytes) <= UNO_SPLIT_FIELD_MASK && uno_reach_allowed(channel->pe, k);
}

static struct uno_way *way_of(struct uno_channel *channel, int k, size_t bytes) {
    struct uno_link *link = &channel->link[k];
    if (!link->way)
        link->way = uno_channel_memory(channel, calloc(SIZES, sizeof *link->way));
    int power = (int)(sizeof bytes * 8) - 1 - __builtin_clzl(bytes) - LEAST;
    return &link->way[power < SIZES ? power : SIZES - 1];
}

/* Whether the next message is shared; row: it is one of a row. */
static bool is_shared(const struct uno_way *way, bool row) {
    const struct uno_trial *trial = &way->trial;
    if (uno_trial_runs(trial))
        return uno_trial_way(trial) == SHARED;
    return trial->least[SHARED] < (row ? way->row : trial->least[PIECES]);
}

/* Nothing has come from the other one since the last long message to it: then this is one of a row. */
static bool is_in_row(struct uno_link *link) {
    bool row = link->in.next == link->before;
    link->before = link->in.next;
    return row;
}

void uno_ways_send(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                   unsigned signature) {
    bool open = is_open(channel, k, bytes), row = is_in_row(&channel->link[k]);
    struct uno_way *way = open && channel->pe->spin ? way_of(channel, k, bytes) : NULL;
    if (way && uno_trial_is_due(&way->trial))
        begin_trial(way);
    bool share = way ? is_shared(way, row) : open;
    if (way && uno_trial_runs(&way->trial)) {
        (share ? try_share : try_pieces)(channel, k, word, data, bytes, signature, way);
    } else if (share) {
        uno_share_send(channel, k, word, data, bytes, signature);
    } else {
        uno_channel_send_pieces(channel, k, word, data, bytes, 0, bytes,
                                UNO_KIND_FIRST | uno_signature_mark(signature),
                                uno_signature_alone(signature));
    }
    if (way)
        uno_trial_count(&way->trial, rests(way));
}
