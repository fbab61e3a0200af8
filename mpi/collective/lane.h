/* Lanes: jobs of the engine in the memory that the ranks of a node share. PE k of each is rank k of the node.
 * A lane carries one operation of a rank at a time, and any two ranks must come to those that they share in
 * the same order.
 *
 * One lane is enough for a program that never has two threads of a rank in collective operations at once:
 * MPI's rules then order them. If it may, two threads of a rank may be in operations of two communicators, so
 * each communicator gets a lane of its own, and keeps it until all of its ranks have freed it. What a lane's
 * posts and readers were before stays in it; to the engine the next communicator is another group of the same
 * job. */

#ifndef UNO_LANE_H
#define UNO_LANE_H

#include "engine/pe.h"

struct uno_comm;
struct uno_ring_ends;

struct uno_lane {
    struct uno_pe *pe;                /* NULL: this process has not used it yet */
    struct uno_copies direct, pieces; /* of blocks that are copied once, and of those that go in pieces */
    struct uno_ring_ends *ring;       /* of the PE to each other one; NULL: there are too many ranks */
    const struct uno_comm *present;   /* whose group is the PE's */
    void (*poll)(void);               /* called once in a while, by ranks that need not wait */
    unsigned calls;
};

/* What the lanes of a node are for; the same on all of its ranks but `rank`. */
struct uno_lanes {
    int size, rank;                      /* ranks of the node, and this one among them */
    int processors;                      /* that they may use */
    bool threads;                        /* two threads of a rank may be in operations at once */
    bool together;                       /* all ranks are in one scheduling group */
    bool (*progress)(struct uno_pe *pe); /* as struct uno_pe's, for those who wait */
    void (*poll)(void);                  /* as struct uno_lane's */
};

/* Bytes of the memory that the ranks share for them. */
size_t uno_lanes_size(const struct uno_lanes *l);

/* One rank, before the others see it: make lanes of memory that is zeros. */
void uno_lanes_prepare(const struct uno_lanes *l, void *memory);

/* Every rank, then: use them. */
void uno_lanes_start(const struct uno_lanes *l, void *memory);
void uno_lanes_end(void);

/* The number of the lane for the next communicator, of so many ranks: its first rank chooses, and tells the
 * others. -1: there is none left. */
int uno_lane_choose(int users);

/* The lane of that number. */
struct uno_lane *uno_lane_get(int i);

/* This rank has freed the communicator. */
void uno_lane_give_back(struct uno_lane *lane);

/* In how many operations this process has been. Not while another thread is in one. */
uint64_t uno_lane_operations(void);

/* The process of rank k of the node; 0: not known yet. */
int uno_lane_pid(int k);

#endif
