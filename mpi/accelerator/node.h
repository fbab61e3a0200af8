/* The ranks of one node, which share memory, and the lanes in it: jobs of the engine, of which each carries
 * the operations of one thread of each rank at a time. PE k of a lane is rank k of the node. */

#ifndef UNO_NODE_H
#define UNO_NODE_H

#include "engine/pe.h"
#include "host.h"

struct uno_comm;

struct uno_lane {
    struct uno_pe *pe;
    const struct uno_comm *present; /* whose group is the PE's */
    unsigned calls;
};

struct uno_node {
    bool on;        /* else everything is the host's */
    bool threads;   /* MPI_THREAD_MULTIPLE was provided */
    int size, rank; /* ranks of the node, and this one among them */
    int world_rank; /* of this process in MPI_COMM_WORLD */
    int world_size;
    int *pe_of;           /* of each rank of MPI_COMM_WORLD its rank in the node; -1: it is on another one */
    MPI_Group world;      /* of MPI_COMM_WORLD */
    struct uno_lane lane; /* the one that carries all operations unless `threads` */
};

/* Of the process. */
extern struct uno_node uno_node;

/* Right after the host's MPI_Init: agree on the settings, and share memory with the ranks of the node. */
void uno_node_start(void);

/* Right before its MPI_Finalize. */
void uno_node_end(void);

#endif
