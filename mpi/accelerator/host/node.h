/* The ranks of one node, which share memory, and where the other ranks are. */

#ifndef UNO_NODE_H
#define UNO_NODE_H

#include <stdbool.h>
#include <stddef.h>

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

/* Of the process. */
extern struct uno_node uno_node;

/* Right after the host's MPI_Init: agree on the settings, and share memory with the ranks of the node. */
void uno_node_start(void);

/* Right before its MPI_Finalize. */
void uno_node_end(void);

/* Say something on standard error, with this rank's number. */
void uno_node_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, and end the program, all ranks. */
void uno_node_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Zeroed memory, to be freed. Ends the program if there is none. */
void *uno_node_allocate(size_t count, size_t size);

#endif
