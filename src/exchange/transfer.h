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

/* Exchange blocks, equal or of any sizes, in a group whose members are on several machines (far.c). */
void uno_transfer_far(const struct uno_transfer *t);

/* End with an error: this PE has equal blocks of `mine` bytes, but member r of `theirs`. */
_Noreturn void uno_transfer_differ(const struct uno_transfer *t, int r, uint64_t mine, uint64_t theirs);

/* End with an error: this PE expects another number of bytes from member r, which gives it `given`. */
_Noreturn void uno_transfer_unexpected(const struct uno_transfer *t, int r, uint64_t given);

#endif
