/* The collective operations of communicators whose ranks are on several nodes. The ranks of a node meet,
 * their leader goes on with the other leaders, and the result is spread where they meet again.
 *
 * Elements whose combination depends on the order are not combined on the way: the leaders gather the
 * operands of all ranks, and combine them in rank order.
 *
 * Each returns true if it has done the work, the same on all ranks, as the functions of collective.h, which
 * it uses inside the nodes. c->nodes must not be NULL. */

#ifndef UNO_HIERARCHICAL_H
#define UNO_HIERARCHICAL_H

#include "collective/comm.h"
#include "collective/data.h"
#include "collective/reduction/reduction.h"

bool uno_hierarchical_barrier(struct uno_comm *c);
bool uno_hierarchical_bcast(struct uno_comm *c, void *at, size_t count, const struct uno_layout *layout,
                            int root);
bool uno_hierarchical_gather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out,
                             int root);
bool uno_hierarchical_allgather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out);
bool uno_hierarchical_scatter(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out,
                              int root);
bool uno_hierarchical_reduce(struct uno_comm *c, const void *in, void *out, size_t count,
                             const struct uno_reduction *how, int root);
bool uno_hierarchical_allreduce(struct uno_comm *c, const void *in, void *out, size_t count,
                                const struct uno_reduction *how);
/* Combine the elements of the ranks before this one, and if `inclusive` this rank's. */
bool uno_hierarchical_scan(struct uno_comm *c, bool inclusive, const void *in, void *out, size_t count,
                           const struct uno_reduction *how);

#endif
