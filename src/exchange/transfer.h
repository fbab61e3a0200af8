/* How the blocks of a group cross: through the buffers of posts, or copied from where they are. */

#ifndef UNO_EXCHANGE_TRANSFER_H
#define UNO_EXCHANGE_TRANSFER_H

#include "engine/pe.h"
#include "schedule.h"
#include "side.h"

/* One exchange, at one member. */
struct uno_transfer {
    struct uno_pe *pe;
    unsigned signature;
    const char *name; /* of the function, for messages */
    struct uno_side to, from;
    struct uno_phasing schedule; /* of blocks that are copied from where they are */
    uno_copy *copy;              /* and how, which the transfer chooses */
};

/* Equal blocks, of more bytes than posts hold. */
void uno_transfer_staged(const struct uno_transfer *t);
void uno_transfer_direct(struct uno_transfer *t);

/* Blocks of any sizes. */
void uno_transfer_varied(struct uno_transfer *t);

#endif
