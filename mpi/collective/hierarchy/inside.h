/* The steps inside one node of operations of several nodes: by the collectives of one node, or by the host
 * where the plan leaves them to it. Ranks are numbered in the order of the node; 0 is its leader. */

#ifndef UNO_INSIDE_H
#define UNO_INSIDE_H

#include "collective/hierarchy/nodes.h"

/* Return the communicator's nodes, ready for an operation. */
struct uno_nodes *uno_inside_ready(struct uno_comm *c);

static inline bool uno_inside_leads(const struct uno_nodes *n) {
    return n->leaders != NULL;
}

static inline int uno_inside_ranks(const struct uno_nodes *n) {
    return n->size[n->mine];
}

void uno_inside_barrier(const struct uno_nodes *n);
void uno_inside_bcast(const struct uno_nodes *n, void *at, size_t count, const struct uno_layout *layout,
                      int root);
void uno_inside_bcast_bytes(const struct uno_nodes *n, void *bytes, size_t count, int root);

/* Gather a block of each rank into `blocks` in the leader; or scatter those. */
void uno_inside_gather(const struct uno_nodes *n, const void *block, void *blocks, size_t bytes);
void uno_inside_scatter(const struct uno_nodes *n, const void *blocks, void *block, size_t bytes);

/* Reduce to the leader. */
void uno_inside_reduce(const struct uno_nodes *n, const void *in, void *out, size_t count,
                       const struct uno_reduction *how);

/* Collect a block from every rank of the communicator. Returns all blocks, node by node, to be freed, in the
 * leader of the given node, or, if node is -1, of every node; elsewhere NULL. */
char *uno_inside_collect(const struct uno_nodes *n, const struct uno_comm *c, const void *block, size_t bytes,
                         int node);

/* Distribute blocks that lie node by node: each to its rank. They are in the leader of the root's node, or,
 * if `everyone`, in all of that node's ranks. */
void uno_inside_distribute(const struct uno_nodes *n, const struct uno_comm *c, char *blocks, char *block,
                           size_t bytes, int root, bool everyone);

/* Pass bytes from the node's leader to the rank that wants them. to: their destination in that rank, and in
 * the leader their source. */
void uno_inside_deliver(const struct uno_nodes *n, const struct uno_comm *c, int rank, void *to,
                        size_t bytes);

/* Return the address of rank r's block among blocks that lie node by node. */
static inline char *uno_inside_block(const struct uno_nodes *n, char *blocks, int r, size_t bytes) {
    return blocks + (size_t)(n->before[n->node[r]] + n->place[r]) * bytes;
}

#endif
