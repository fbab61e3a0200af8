/* The state of the messages to and from PEs on other nodes, in which lines.c and whole.c work. */

#ifndef UNO_CHANNEL_WAY_H
#define UNO_CHANNEL_WAY_H

#include "engine/channel/link/link.h"
#include "engine/far/far.h"

/* Lines, as a part of a ring, and pieces, after whose taking the other end is told of it. */
enum { UNO_TOLD_SHARE = 4, UNO_TOLD_PIECES = 4 };

/* A packet of lines that is on its way. Its memory, that of the lines, and the piece behind them stay until
 * the network is done with them. */
struct uno_far_out {
    struct uno_far_sending sending;
    struct uno_far_head head;
};

/* The way to one PE on another node, and from it. */
struct uno_far_way {
    struct uno_far_link base; /* of link.h */
    struct uno_channel *channel;
    struct uno_link *link;
    int k;
    uint64_t sent;           /* lines to PE k before this one are in the network */
    uint64_t come;           /* lines from PE k before this one have come */
    uint64_t told;           /* lines from PE k, as PE k was told, that were taken */
    uint64_t freed;          /* packets of the lines from PE k before this one have been given back */
    unsigned pieces;         /* that were taken since PE k was told */
    unsigned flying;         /* packets to PE k with which the network is not done */
    struct uno_far_out *out; /* for each line of the ring to PE k; NULL before the first */
    void **packet;           /* for each line of the ring from PE k the packet that has its piece, or NULL */
    char **copy;             /* or the copy of that */
};

/* Those of a channel. */
struct uno_far_links {
    uint64_t unsent[UNO_WORDS]; /* PEs for which there is something that had no room in the network */
    uint64_t untold[UNO_WORDS]; /* PEs that have not been told of all lines that were taken */
    unsigned kept;              /* packets, of all ways */
    struct uno_far_way way[];   /* of each PE; those on this node are unused */
};

/* Note in a mask of the channel's that there is something for PE k which can only go later. */
static inline void uno_far_go_later(struct uno_far_way *way, uint64_t *mask) {
    uno_bit_set(mask, way->k);
    way->channel->pe->far->goes_on = true;
}

/* PE k has taken so many lines of the ring to it. */
static inline void uno_far_note_taken(struct uno_link *link, uint64_t lines) {
    if (lines > uno_load64_relaxed(&link->out.ring->taken)) {
        /* SYNC TAKEN: reads of these lines and of the buffers that they name have ended */
        uno_store64_release(&link->out.ring->taken, lines);
    }
}

/* PE k is being told, with a packet, of all lines that were taken. */
static inline void uno_far_note_told(struct uno_far_way *way, uint64_t lines) {
    way->told = lines;
    way->pieces = 0;
    uno_bit_clear(way->channel->far->untold, way->k);
}

/* Return true if PE k is to be told now how many of its lines were taken. */
static inline bool uno_far_is_to_tell(const struct uno_far_way *way, const struct uno_inlet *in) {
    return way->pieces >= UNO_TOLD_PIECES || in->next - way->told > in->mask / UNO_TOLD_SHARE;
}

/* Keep a piece of a message for the line i of the ring from PE k: its packet stays with this PE, or if it has
 * too many, a copy. Returns the place of the piece, and whether the packet stays. */
const char *uno_far_keep(struct uno_far_way *way, uint64_t i, const char *data, size_t bytes, void *packet,
                         bool *stays);

/* Let this PE look at the ring from PE k, which has lines, as PE k would on this node. */
void uno_far_note_lines(struct uno_channel *channel, int k);

#endif
