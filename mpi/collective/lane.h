/* Lanes: jobs of the engine in the memory that the ranks of a node share. PE k of each is rank k of the node.
 * A lane carries one operation of a rank at a time, and any two ranks must come to those that they share in
 * the same order.
 *
 * One lane is enough for a program that never has two threads of a rank in collective operations at once:
 * MPI's rules then order them. If it may, two threads of a rank may be in operations of two communicators, so
 * each communicator gets a lane of its own, and keeps it until all of its ranks have freed it. A lane keeps
 * its earlier posts and their readers; to the engine the next communicator is another group of the same
 * job. */

#ifndef UNO_LANE_H
#define UNO_LANE_H

#include "engine/pe.h"

struct uno_comm;
struct uno_ring_ends;

struct uno_lane {
    struct uno_pe *pe; /* NULL: this process has not used it yet */
    /* the choice of copies for blocks copied once, and for those that go in pieces */
    struct uno_copies direct, pieces;
    /* the ends of the rings from the PE to each other one; NULL: there are too many ranks */
    struct uno_ring_ends *ring;
    const struct uno_comm *present; /* the communicator whose group the PE has */
    void (*poll)(void);             /* called once in a while by ranks that need not wait */
    unsigned calls;
};

/* The settings of the lanes of a node; the same on all of its ranks but `rank`. */
struct uno_lanes {
    int size, rank;                      /* ranks of the node, and this rank among them */
    int processors;                      /* processors that the ranks may use */
    bool threads;                        /* two threads of a rank may be in operations at once */
    bool together;                       /* all ranks are in one scheduling group */
    bool (*progress)(struct uno_pe *pe); /* as in struct uno_pe, called while waiting */
    void (*poll)(void);                  /* as in struct uno_lane */
};

/* Return the bytes of shared memory that the lanes need. */
size_t uno_lanes_size(const struct uno_lanes *l);

/* Set up the lanes in zeroed memory. One rank calls this before the others see the memory. */
void uno_lanes_prepare(const struct uno_lanes *l, void *memory);

/* Start to use the lanes. Every rank calls this after uno_lanes_prepare, and uno_lanes_end at its end. */
void uno_lanes_start(const struct uno_lanes *l, void *memory);
void uno_lanes_end(void);

/* Choose the lane for the next communicator, of so many ranks, and return its number. The first rank calls
 * this and tells the others. -1: no lane is free. */
int uno_lane_choose(int users);

/* Return the lane of that number. */
struct uno_lane *uno_lane_get(int i);

/* Give the lane back: this rank has freed the communicator. */
void uno_lane_give_back(struct uno_lane *lane);

/* Return how many operations this process has done. No other thread may be in one. */
uint64_t uno_lane_operations(void);

/* Return the process of rank k of the node; 0: not known yet. */
int uno_lane_pid(int k);

#endif
