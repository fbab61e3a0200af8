/* A communicator whose ranks are on several nodes: the nodes of the ranks, and the functions that carry data
 * between nodes, which only the host has. */

#ifndef UNO_NODES_H
#define UNO_NODES_H

#include "collective/comm.h"
#include "collective/data.h"
#include "collective/reduction/reduction.h"

/* Operations that are done otherwise than here: among the leaders of the nodes, and inside a node where the
 * plan leaves them. `among` is `here` or `leaders` of struct uno_nodes. `in` of a reduction may be where its
 * result goes. Sizes and places are in bytes. */
struct uno_between {
    void (*barrier)(const void *among);
    void (*bcast)(const void *among, void *at, size_t count, const struct uno_layout *layout, int root);
    /* equal blocks of packed bytes, to and from rank 0 */
    void (*gather)(const void *among, const void *block, void *blocks, size_t bytes);
    void (*scatter)(const void *among, const void *blocks, void *block, size_t bytes);
    /* blocks of packed bytes; own: NULL where it is in its place in `all` */
    void (*gatherv)(const void *among, const void *own, int size, void *all, const int *sizes,
                    const int *places, int root);
    void (*scatterv)(const void *among, const void *all, const int *sizes, const int *places, void *own,
                     int size, int root);
    /* every one is in its place */
    void (*allgatherv)(const void *among, void *all, const int *sizes, const int *places);
    void (*reduce)(const void *among, const void *in, void *out, size_t count,
                   const struct uno_reduction *how, int root);
    void (*allreduce)(const void *among, const void *in, void *out, size_t count,
                      const struct uno_reduction *how);
};

struct uno_nodes {
    const struct uno_between *between;
    int count;   /* nodes, numbered in the order of their first ranks, which are their leaders */
    int mine;    /* the node of this rank */
    int *node;   /* of each rank */
    int *place;  /* of each rank among those of its node */
    int *size;   /* of each node: its ranks */
    int *before; /* of each node: ranks of the nodes before it */
    int *rank;   /* the ranks, node by node */
    /* Set up the fields below, once, on all ranks of the communicator; and give them back. */
    void (*connect)(struct uno_comm *c);
    void (*disconnect)(struct uno_nodes *n);
    bool connected;
    struct uno_comm *inside; /* the ranks of this node, in their order */
    const void *here;        /* the same, for `between` */
    const void *leaders;     /* of the nodes, in their order, for `between`; NULL: this rank is none */
};

/* Make the nodes of a communicator of so many ranks, without calling `connect` and `disconnect`. head: for
 * each rank a number, at least 0, that its node alone has, or -1. NULL: the communicator is the host's, on
 * all ranks. */
struct uno_nodes *uno_nodes_make(int size, int rank, const int *head, const struct uno_between *between);

void uno_nodes_free(struct uno_nodes *n);

#endif
