/* The parts of an operation that the nodes of a group send to each other: each is a packet from one node's
 * leader to another one's.
 *
 * A packet carries no number. Two PEs go through the operations that they share in the same order, a PE that
 * is a leader is a member, and in each operation two leaders send each other the same number of packets in
 * the same order; so the next part from a PE is that of the operation in which this PE waits for it. If its
 * signature or group differ, the program is wrong. */

#ifndef UNO_NODES_PARTS_H
#define UNO_NODES_PARTS_H

#include "state.h"

/* Begin to take in parts. Returns false if there is no memory. */
bool uno_node_parts_open(struct uno_node_parts *parts, struct uno_pe *pe);
void uno_node_parts_close(struct uno_node_parts *parts, struct uno_pe *pe);

/* Send this node's part to the leader k. May wait for room. */
void uno_part_send(struct uno_pe *pe, int k, unsigned signature, const void *data, size_t bytes);

/* Wait for the next part from the leader k, which the caller frees. Ends with an error if it is part of
 * another operation, or has other than so many bytes (SIZE_MAX: any). */
struct uno_part *uno_part_await(struct uno_pe *pe, int k, unsigned signature, size_t bytes);

#endif
