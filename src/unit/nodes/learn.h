/* The data that travel between nodes in an operation: of the data that members put in, as much as they learn
 * from each other (uno_pe_function). What can be combined is combined on each node; all else goes
 * whole, and is combined by each PE in PE order, so that it has the same bits as on one machine. */

#ifndef UNO_NODES_LEARN_H
#define UNO_NODES_LEARN_H

#include "net/schedule.h"
#include "state.h"

/* Begin with the data of this node's members, in PE order. */
void uno_learn_begin(struct uno_learning *learning, const void *const *data);

/* Return the treatment of the nodes' values on their way. */
enum uno_schedule_values uno_learn_values(const struct uno_learning *learning);

/* The next three are about the parts of `count` nodes from `first` on, in a circle: behind the last node
 * comes node 0. */

/* Return the bytes of these parts; SIZE_MAX: as many as there are putters. */
size_t uno_learn_bytes(const struct uno_learning *learning, int first, int count);

/* Pack these parts, which have come. What is combined, and putters, are packed as far as they have come, with
 * this node's own; own: false: without it, where it is combined. Returns the bytes that are packed. */
size_t uno_learn_pack(const struct uno_learning *learning, int first, int count, bool own);

/* Add these parts, which lie one after the other, or what they are combined into, to what has come. */
void uno_learn_add(struct uno_learning *learning, int first, int count, const void *parts, size_t bytes);

/* All parts have come: the result is complete. */
void uno_learn_end(struct uno_learning *learning);

/* Let pe->data show each member's data, from a result of so many bytes, which stays where it is. */
void uno_learn_show(const struct uno_learning *learning, const void *result, size_t bytes);

#endif
