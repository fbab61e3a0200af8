/* The facts that the nodes of a job tell of PEs of which none can go on by itself, and when they are a
 * deadlock.
 *
 * A node is quiet when all of its PEs have left or rest, and what each waits for is not there
 * (launch/deadlock.h). From then on it does nothing, until one of its PEs takes in a packet from another
 * node. So each node tells for each of its PEs how many packets that PE has taken in, and for each PE of
 * other nodes how many were sent to it from here.
 *
 * If for each PE that has not left the packets that were sent to it, from all nodes, are as many as it has
 * taken in, no node has done anything since it looked, although they did not look at the same time. For let m
 * be the first packet that any PE took in after its node's look. Who sent m had not done anything since its
 * own node's look, so m counts as sent, and not as taken in. As the counts are the same, another packet to
 * that PE counts as taken in, and not as sent: it was sent after its sender's node had looked, and so that
 * node had taken in a packet since, before m. Then m was not the first. And no packet is still on its way,
 * since it would count as sent alone.
 *
 * So no packet comes any more, and no PE goes on, unless it waits for one that has left, or for any when all
 * others have: that one finds out (launch/ends.h). */

#ifndef UNO_FACTS_H
#define UNO_FACTS_H

#include <stdbool.h>
#include <stdint.h>

/* The fact that one node tells of one PE. */
struct uno_fact {
    uint64_t packets; /* of a PE here, that it has taken in; of another one, that were sent to it from here */
    int32_t waits_for; /* as of uno_deadlock_here */
    int32_t unused;
};

/* Return true if no PE of a job of n can ever go on. seat: the node of each PE; fact: of each node, of each
 * PE. */
bool uno_facts_settled(int n, int nodes, const int32_t *seat, const struct uno_fact *const *fact);

#endif
