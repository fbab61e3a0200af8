/* The operations of PEs on several nodes.
 *
 * An operation has three steps. The members on each node meet on their boards. The lowest of them, the node's
 * leader, sends the node's part to the leaders of the other nodes, and waits for theirs. Then it tells its
 * neighbours the outcome, by a second post that only it makes.
 *
 * No operation completes at a PE before every member has arrived: a leader sends its node's part when all
 * members there have posted, and tells the outcome when it has the parts of all nodes. So what rests on that
 * rule within a node (engine/rendezvous.c) holds. Operations are kept apart by order alone, as parts.h
 * says. */

#ifndef UNO_NODES_MEET_H
#define UNO_NODES_MEET_H

#include "engine/pe.h"

/* Begin, when this PE has its endpoint: make its state, and connect its channel with the endpoint. Ends with
 * an error if there is no memory. */
void uno_nodes_open(struct uno_pe *pe);

/* The function of that name in struct uno_unit. */
const void *const *uno_nodes_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);

/* Say goodbye to all, and free that state. */
void uno_nodes_close(struct uno_pe *pe);

#endif
