#include "ways.h"

#include <stdlib.h>

#include "engine/kernel.h"
#include "engine/tuning.h"
#include "incoming.h"
#include "outgoing.h"
#include "reach.h"
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

/* Of messages of about one size to one PE: the least nanoseconds that one of the last trial took. */
struct uno_way {
    uint32_t shared; /* copied once, by both; */
    uint32_t pieces; /* in pieces, until the reader had them all; */
    uint32_t row;    /* of pieces in a row, where the slower one of writer and reader counts */
    uint16_t tried;  /* messages of this trial */
    uint16_t left;   /* messages until the next trial */
};

/* ---- the trial --------------------------------------------------------------------------------------- */

static void begin_trial(struct uno_way *way) {
    *way = (struct uno_way){.shared = UINT32_MAX, .pieces = UINT32_MAX, .row = UINT32_MAX};
}

static bool is_tried(const struct uno_way *way) {
    return way->tried == 2 * TRIES;
}

static void end_trial(struct uno_way *way) {
    bool told = way->shared != UINT32_MAX && way->pieces != UINT32_MAX;
    way->tried = 2 * TRIES;
    way->left = told ? LASTS : SOON;
}

static void learn(uint32_t *least, uint64_t ns) {
    if (ns < *least)
        *least = (uint32_t)ns;
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
        end_trial(way);
        return;
    }
    uint64_t taken = uno_kernel_now() - began;
    learn(&way->pieces, taken);
    learn(&way->row, written > taken - written ? written : taken - written);
}

static void try_share(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                      unsigned signature, struct uno_way *way) {
    uint64_t began = uno_kernel_now();
    if (uno_share_send(channel, k, word, data, bytes, signature))
        learn(&way->shared, uno_kernel_now() - began);
}

/* Most of what comes first is few: so they are copied once, until there is something to compare. */
static void try_next(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                     unsigned signature, struct uno_way *way) {
    if (way->tried++ < TRIES)
        try_share(channel, k, word, data, bytes, signature, way);
    else
        try_pieces(channel, k, word, data, bytes, signature, way);
    if (is_tried(way))
        end_trial(way);
}

/* ---- what follows from it ---------------------------------------------------------------------------- */

/* Whether both ways are open to the message, of which the faster one is to be found. */
static bool is_open(struct uno_channel *channel, int k, size_t bytes) {
    return bytes >= (channel->pe->spin ? UNO_SHARE_LEAST : UNO_SHARE_LEAST_MANY) &&
           uno_split_parts(bytes) <= UNO_SPLIT_FIELD_MASK && uno_reach_allowed(channel, k);
}

static struct uno_way *way_of(struct uno_channel *channel, int k, size_t bytes) {
    struct uno_link *link = &channel->link[k];
    if (!link->way) {
        link->way = uno_channel_memory(channel, malloc(SIZES * sizeof *link->way));
        for (int i = 0; i < SIZES; i++)
            begin_trial(&link->way[i]);
    }
    int power = (int)(sizeof bytes * 8) - 1 - __builtin_clzl(bytes) - LEAST;
    return &link->way[power < SIZES ? power : SIZES - 1];
}

/* Nothing has come from the other one since the last long message to it: then this is one of a row. */
static bool is_in_row(struct uno_link *link) {
    bool row = link->in.next == link->before;
    link->before = link->in.next;
    return row;
}

/* One more message goes the way that was found. */
static void count(struct uno_way *way) {
    if (!--way->left)
        begin_trial(way);
}

void uno_ways_send(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                   unsigned signature) {
    bool open = is_open(channel, k, bytes), row = is_in_row(&channel->link[k]);
    struct uno_way *way = open && channel->pe->spin ? way_of(channel, k, bytes) : NULL;
    if (way && !is_tried(way)) {
        try_next(channel, k, word, data, bytes, signature, way);
        return;
    }
    bool share = way ? way->shared < (row ? way->row : way->pieces) : open;
    if (way)
        count(way);
    if (share)
        uno_share_send(channel, k, word, data, bytes, signature);
    else
        uno_channel_send_pieces(channel, k, word, data, bytes, 0, bytes,
                                UNO_KIND_FIRST | uno_signature_mark(signature),
                                uno_signature_alone(signature));
}
