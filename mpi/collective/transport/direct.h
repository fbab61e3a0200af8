/* Large blocks are copied once: the rank that wants a block reads it straight from the other rank's memory
 * (engine/reach.h), where the system allows that; of two ranks, the root with the one block for the other
 * writes the latter half of it meanwhile. This takes two operations of the engine: in the first each rank
 * tells where its blocks lie, and nobody may change blocks that others read before the second. A process can
 * take the permission back at any time (prctl, setuid), so all ranks tell in the second whether they have
 * copied everything. If one has not, all of them know it, and the communicator no longer uses this path. */

#ifndef UNO_DIRECT_H
#define UNO_DIRECT_H

#include "collective/comm.h"
#include "collective/transport/block.h"

/* The blocks that a rank offers to others: one that is the same for all, equal blocks one after the other, or
 * one for each rank at any place. */
enum uno_offer { UNO_ONE_FOR_ALL, UNO_EQUAL_FOR_EACH, UNO_ANY_FOR_EACH };

/* Copy blocks between ranks. own: this rank's blocks, or NULL. to: NULL, or blocks of all ranks; if `root` is
 * not -1, the one of that rank. False, on all ranks: not everything could be read, and `to` may hold a part
 * of it. */
bool uno_direct(struct uno_comm *c, enum uno_op op, size_t total, enum uno_offer offer,
                const struct uno_blocks *own, const struct uno_blocks *to, int root);

#endif
