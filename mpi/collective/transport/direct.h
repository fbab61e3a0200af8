/* Large blocks are copied once: whoever wants one reads it straight from the other rank's memory
 * (engine/reach.h), where the system allows that; of two ranks, the root that has the one block for the
 * other writes the latter half of it meanwhile. It takes two operations of the engine: in the first each
 * rank tells where its blocks lie, and nobody may write what others read before the second. A process can
 * take the permission back at any time (prctl, setuid), so all ranks tell at the second whether they have
 * copied everything. If one has not, all of them know it, and the communicator does without from then on. */

#ifndef UNO_DIRECT_H
#define UNO_DIRECT_H

#include "collective/comm.h"
#include "collective/transport/block.h"

/* What a rank that puts has for others: a block that is the same for all, equal blocks one after the other,
 * one for each, or a block for each wherever it is. */
enum uno_offer { UNO_ONE_FOR_ALL, UNO_EQUAL_FOR_EACH, UNO_ANY_FOR_EACH };

/* own: what this rank puts, or NULL. to: NULL, or blocks of all ranks; or with `root` not -1 the only one, of
 * that rank. False, on all ranks: not everything could be read, and `to` may hold a part of it. */
bool uno_direct(struct uno_comm *c, enum uno_op op, size_t total, enum uno_offer offer,
                const struct uno_blocks *own, const struct uno_blocks *to, int root);

#endif
