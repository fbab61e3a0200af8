/* The operations that tiles show to each other at the unit beside their network, which carries nothing of it:
 * so a wrong program is reported as on shared memory. That costs a tile no time.
 *
 * A PE shows each operation to every other member, in the member's memory. Any two PEs go through the
 * operations that they share in the same order, and none is over at one of them before the other one has come
 * to it: so of those that PE k shows to this one, at most one is further than the one that this PE is in, and
 * two places are enough. */

#ifndef UNO_MESH_SHOWN_H
#define UNO_MESH_SHOWN_H

#include "engine/pe.h"

/* Show this PE's operation. Afterwards, when it is over, check that all were in the same. put: gets the
 * second word of each, in PE order; or NULL. */
void uno_shown_show(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);
void uno_shown_read(struct uno_pe *pe, unsigned signature, uint64_t *put);

/* Return the first member that has not come to this PE's operation; -1: all have. Ends with an error if one
 * is in another operation. */
int uno_shown_missing(struct uno_pe *pe, unsigned signature);

/* End with an error, since PE k has left, and has not come to the operation. */
void uno_shown_left(struct uno_pe *pe, int k, unsigned signature) __attribute__((noreturn, cold));

#endif
