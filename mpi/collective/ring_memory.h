/* The memory of the rings between the ranks of a node: one ring for each pair of ranks and direction. */

#ifndef UNO_RING_MEMORY_H
#define UNO_RING_MEMORY_H

#include "engine/channel/ring/ring.h"

/* The most ranks of a node that have rings: there is one for each two ranks, and a root writes to all. */
enum { UNO_RING_RANKS = 16 };

/* This PE's ends of the rings to and from another PE. */
struct uno_ring_ends {
    struct uno_outlet out;
    struct uno_inlet in;
};

/* Return the bytes of the rings of n PEs: 0 if there are too many PEs. */
size_t uno_ring_memory_size(int n);

/* Return the ends of PE `me`, one for each PE, of rings in zeroed memory. NULL: there are no rings. */
struct uno_ring_ends *uno_ring_memory_use(void *memory, int n, int me);

#endif
