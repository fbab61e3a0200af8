/* The ranks of one node, which share memory, and where the other ranks are: found once, in MPI_Init. */

#ifndef UNO_NODE_H
#define UNO_NODE_H

#include <stdbool.h>

#include "accelerator/host/host.h"

struct uno_node {
    bool on;        /* else everything is the host's */
    char why[200];  /* it is not on */
    bool threads;   /* a rank of the node was given MPI_THREAD_MULTIPLE */
    bool crowded;   /* more ranks than processors */
    bool together;  /* all of its ranks are in one session */
    int processors; /* that its ranks may use */
    int size, rank; /* ranks of the node, and this one among them */
    int first;      /* the rank in MPI_COMM_WORLD of the node's first one */
    int world_size, world_rank;
    int *pe_of;   /* of each rank of MPI_COMM_WORLD its rank in the node; -1: it is on another one */
    int *head_of; /* of each rank of MPI_COMM_WORLD the first rank of its node; -1: all there is the host's */
    MPI_Group world; /* of MPI_COMM_WORLD */
};

/* Of the process; filled in by what follows, and by who starts everything. */
extern struct uno_node uno_node;

/* This rank's place in MPI_COMM_WORLD. */
void uno_node_find_world(void);

/* A communicator of the ranks that share memory with this one, to be freed; or of those, the ones that are to
 * be taken for a node. */
MPI_Comm uno_node_split(void);

/* On all ranks of that: what they agree on, and who they are. */
void uno_node_agree(MPI_Comm comm);
void uno_node_find_ranks(MPI_Comm comm);

/* On all ranks of MPI_COMM_WORLD, when each knows whether its node is on: the first rank of every node. */
void uno_node_find_heads(MPI_Comm comm);

#endif
