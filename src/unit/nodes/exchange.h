/* The exchange of an operation's parts between the leaders of the nodes. */

#ifndef UNO_NODES_EXCHANGE_H
#define UNO_NODES_EXCHANGE_H

#include "state.h"

/* Send this node's part, which is made of the data of its members, in PE order, to where the schedule wants
 * it; and put those of the other nodes to it. When this returns, every node's members have arrived. */
void uno_nodes_exchange(struct uno_learning *learning, const void *const *data);

#endif
