/* The memory of the rings between the ranks of a node, one for each two and direction. */

#ifndef UNO_RING_MEMORY_H
#define UNO_RING_MEMORY_H

#include "engine/channel/ring/ring.h"

/* Ranks of a node, at most, that have rings: there is one for each two, and a root writes to all. */
enum { UNO_RING_RANKS = 16 };

/* This PE's ends of the rings to and from another one. */
struct uno_ring_ends {
    struct uno_outlet out;
    struct uno_inlet in;
};

/* Bytes that the rings of n PEs take: none if there are too many of them. */
size_t uno_ring_memory_size(int n);

/* The ends of PE `me`, one for each PE, of rings in zeroed memory. NULL: there are none. */
struct uno_ring_ends *uno_ring_memory_use(void *memory, int n, int me);

#endif
