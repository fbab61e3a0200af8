/* The data that travel between nodes in an operation: of the data that members put in, as much as they learn
 * from each other (uno_pe_function). What can be combined is combined on each node; all else goes
 * whole, and is combined by each PE in PE order, so that it has the same bits as on one machine. */

#ifndef UNO_NODES_LEARN_H
#define UNO_NODES_LEARN_H

#include "state.h"

/* Begin: pack this node's part from the data of its members, in PE order, and put it into the result. Returns
 * the part's bytes. */
size_t uno_learn_pack(struct uno_learning *learning, const void *const *data);

/* Return the bytes of the parts of the nodes with the numbers from `first` to before `end`; SIZE_MAX: as many
 * as there are putters. */
size_t uno_learn_bytes(const struct uno_learning *learning, int first, int end);

/* Put these parts, which lie one after the other, or what they are combined into, into the result. */
void uno_learn_add(struct uno_learning *learning, int first, int end, const void *parts, size_t bytes);

/* After that, pack them too, behind so many bytes that are packed; or instead what all so far are combined
 * into. Returns the bytes that are packed. */
size_t uno_learn_pack_further(struct uno_learning *learning, size_t packed, const void *parts, size_t bytes);

/* Let pe->data show each member's data, from a result of so many bytes, which stays where it is. */
void uno_learn_show(const struct uno_learning *learning, const void *result, size_t bytes);

#endif
