/* Messages to and from PEs on other nodes: the lines of a ring go through the network.
 *
 * The ring to a PE on another node lies in this node's memory, and so does the ring from it. What this PE
 * puts into the first one it sends on, as packets of whole lines, with the piece of a message that a line
 * names. What comes it puts into the second one itself, where it is read as a neighbour's lines are. Each
 * packet tells how many lines its sender has taken, which then are free at the other end; so a ring that is
 * full holds its writer back as it does within a node, and there is no other flow control. */

#ifndef UNO_CHANNEL_LINES_H
#define UNO_CHANNEL_LINES_H

#include "engine/channel/link/link.h"

/* Connect the links of a new channel to PEs on other nodes with the PE's endpoint, until the channel ends. */
void uno_far_links_start(struct uno_channel *channel);

#endif
