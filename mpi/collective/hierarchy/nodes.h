/* A communicator whose ranks are on several nodes: who is where, and two communicators of the host's for it,
 * one of this node's ranks and one of the nodes' leaders. */

#ifndef UNO_NODES_H
#define UNO_NODES_H

#include <stdbool.h>

#include "accelerator/host/host.h"

struct uno_nodes {
    int count;   /* nodes, numbered in the order of their first ranks, which are their leaders */
    int mine;    /* the node of this rank */
    int *node;   /* of each rank */
    int *place;  /* of each rank among those of its node */
    int *size;   /* of each node: its ranks */
    int *before; /* of each node: ranks of the nodes before it */
    int *rank;   /* the ranks, node by node */
    /* made by the first operation that needs them */
    bool made;
    MPI_Comm inside;  /* the ranks of this node, in their order */
    MPI_Comm leaders; /* of the nodes, in their order; only in those */
};

/* For a communicator of so many ranks, with the rank that each has in MPI_COMM_WORLD, or MPI_UNDEFINED. NULL:
 * it is the host's, on all of them. */
struct uno_nodes *uno_nodes_make(int size, int rank, const int *world_rank);

/* Make the two communicators, if they are not there; called by all ranks. */
void uno_nodes_connect(struct uno_nodes *n, int rank, MPI_Comm comm);

void uno_nodes_free(struct uno_nodes *n);

#endif
