/* The network of a simulated mesh, as net/net.h wants a network: a PE's endpoint is its tile.
 *
 * A tile's time is exact, and the same in every run. It passes in three ways: by the instructions of the PE
 * between two commands, where they are counted; by the words that go into the network and come out of it; and
 * by waiting. The process of the mesh (hardware/mesh/) lets the network's clock go on only when it knows what
 * every tile does next. So a PE gives a command for all that takes time: it sends, it looks in vain and lets
 * a moment pass, or it waits for a message. A wait is no loop of looks, since they would take time. */

#ifndef UNO_MESH_NET_H
#define UNO_MESH_NET_H

#include "engine/pe.h"
#include "net/net.h"

extern const struct uno_net_kind uno_net_mesh;

/* Open the endpoint of a PE. NULL: there is no memory. */
struct uno_net *uno_mesh_open(struct uno_pe *pe);

/* Wait at the port for a message. Returns true if none may ever come: the PE then sleeps for a while, and
 * looks again. False: there is an event, or something else to be seen to. */
bool uno_mesh_wait(struct uno_net *net);

/* Return true if `poll` has something: without a further command it has nothing new otherwise. */
bool uno_mesh_has_news(struct uno_net *net);

/* As of pe->hear. A PE looks many times at a network that has nothing new for it, and its looks take time. */
bool uno_mesh_hear(struct uno_pe *pe);

/* Let a moment pass. */
void uno_mesh_look(struct uno_net *net);

/* Return true if nothing is on its way to any PE, and all wait. */
bool uno_mesh_is_still(const struct uno_net *net);

/* Return the bell that is rung when an answer is there. */
uno_atomic64 *uno_mesh_bell(struct uno_net *net);

/* Return what is below the endpoint, for a program that uses it by itself while it exchanges no messages. */
struct uno_at_tile;
struct uno_at_tile *uno_mesh_tile(struct uno_net *net);

#endif
