/* The ranks of one node, which share memory, and the nodes of the other ranks. They are found once, in
 * MPI_Init. */

#ifndef UNO_NODE_H
#define UNO_NODE_H

#include <stdbool.h>

#include "accelerator/host/host.h"

struct uno_node {
    bool on;        /* false: everything is the host's */
    char why[200];  /* the reason why it is not on */
    bool threads;   /* a rank of the node was given MPI_THREAD_MULTIPLE */
    bool crowded;   /* there are more ranks than processors */
    bool together;  /* all of its ranks are in one session */
    int processors; /* processors that its ranks may use */
    int size, rank; /* ranks of the node, and this one among them */
    int first;      /* the rank in MPI_COMM_WORLD of the node's first rank */
    int world_size, world_rank;
    int *pe_of; /* for each rank of MPI_COMM_WORLD its rank in this node; -1: it is on another node */
    /* for each rank of MPI_COMM_WORLD the first rank of its node; -1: all there is the host's */
    int *head_of;
    MPI_Group world; /* the group of MPI_COMM_WORLD */
};

/* The node of this process; filled in by the functions below, and by the start of the accelerator. */
extern struct uno_node uno_node;

/* Find this rank's place in MPI_COMM_WORLD. */
void uno_node_find_world(void);

/* Return a communicator of the ranks that share memory with this one, to be freed; with pretended nodes, of
 * those on this rank's node. */
MPI_Comm uno_node_split(void);

/* Agree on the node's settings; and find its ranks. All ranks of that communicator call these. */
void uno_node_agree(MPI_Comm comm);
void uno_node_find_ranks(MPI_Comm comm);

/* Find the first rank of every node. All ranks of MPI_COMM_WORLD call this, when each knows whether its node
 * is on. */
void uno_node_find_heads(MPI_Comm comm);

#endif
