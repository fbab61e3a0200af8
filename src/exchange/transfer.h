/* The transfer of a group's blocks: through the buffers of posts, or copied from where they are. */

#ifndef UNO_EXCHANGE_TRANSFER_H
#define UNO_EXCHANGE_TRANSFER_H

#include "engine/pe.h"
#include "schedule.h"
#include "side.h"

/* One exchange, at one member. */
struct uno_transfer {
    struct uno_pe *pe;
    unsigned signature;
    const char *name; /* the name of the function, for messages */
    struct uno_side to, from;
    struct uno_phasing schedule; /* the order in which blocks are copied from where they are */
    uno_copy *copy;              /* the kind of copy, which the transfer chooses */
};

/* Exchange equal blocks, of more bytes than posts hold: through buffers, or directly. */
void uno_transfer_staged(const struct uno_transfer *t);
void uno_transfer_direct(struct uno_transfer *t);

/* Exchange blocks of any sizes. */
void uno_transfer_varied(struct uno_transfer *t);

#endif
