/* Lanes: jobs of the engine in the node's memory. PE k of each is rank k of the node. A lane carries one
 * operation of a rank at a time, and any two ranks must come to those that they share in the same order.
 *
 * One lane is enough for a program that never has two threads of a rank in collective operations at once:
 * MPI's rules then order them. Under MPI_THREAD_MULTIPLE two threads of a rank may be in operations of two
 * communicators, so each communicator gets a lane of its own, and keeps it until all of its ranks have freed
 * it. What a lane's posts and readers were before stays in it; to the engine the next communicator is another
 * group of the same job. */

#ifndef UNO_LANE_H
#define UNO_LANE_H

#include "engine/pe.h"
#include "accelerator/host/host.h"

struct uno_comm;
struct uno_stream;

struct uno_lane {
    struct uno_pe *pe;              /* NULL: this process has not used it yet */
    struct uno_stream *stream;      /* of the PE; NULL: there are too many ranks */
    const struct uno_comm *present; /* whose group is the PE's */
    unsigned calls;
};

/* Make the memory of the lanes, as uno_memory_share. False: it cannot be had. */
bool uno_lane_start(MPI_Comm comm);
void uno_lane_end(void);

/* The lane for a communicator, of whose ranks this is called by all, and all of which are on this node. NULL:
 * there is none left. */
struct uno_lane *uno_lane_take(MPI_Comm comm, int size, int rank);

/* This rank has freed the communicator. */
void uno_lane_give_back(struct uno_lane *lane);

/* For tests: in how many operations of the engine this process has been. Not while another thread is in one.
 */
uint64_t unisono_mpi_operations(void);

/* The process of rank k of the node; 0: not known yet. */
int uno_lane_pid(int k);

#endif
