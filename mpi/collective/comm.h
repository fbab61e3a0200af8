/* A communicator as the collectives see it: its ranks, their PEs in shared memory or their nodes, and
 * measurements of its earlier operations. The host, which serves the program, fills it in and keeps it as
 * long as the communicator lives. */

#ifndef UNO_COMM_H
#define UNO_COMM_H

#include <stdbool.h>

#include "collective/lane.h"
#include "collective/ops.h"
#include "engine/rendezvous.h"
#include "engine/trial.h"
#include "unit/unit.h"

enum { UNO_COLLECTIVES = UNO_MPI_LAST - UNO_MPI_FIRST + 1 };

struct uno_nodes;

/* The sizes of an operation that are done here: `count` numbers of bytes from `least` on. Of these, blocks of
 * up to `ring` bytes go from rank to rank without a meeting. */
struct uno_band {
    size_t least, count, ring;
};

/* The choice between two ways for large blocks of an operation (plan.c), by a trial of this rank. Sets are of
 * powers of two of bytes. */
struct uno_large {
    struct uno_trial trial; /* way 0: in pieces; 1: in one copy */
    uint32_t kept, tried;   /* sizes that went best in pieces; sizes that have been tried */
    uint64_t start;         /* start of this rank's operation, ns */
    unsigned short rests;   /* large operations from one trial to the next */
    unsigned char power;    /* the trial is about these bytes, */
    unsigned char trials;   /* the number of earlier trials of that size */
};

/* The paths of a communicator's operations (plan.h). It is the same on all ranks, except the results of
 * trials and the start of an operation. */
struct uno_plan {
    bool crowded; /* more ranks on the node than processors */
    bool direct;  /* ranks may read each other's memory; false for good once one could not */
    size_t unit;  /* bytes of a rank that the unit carries at most; 0: it carries none */
    struct uno_band band[UNO_COLLECTIVES];
    struct {
        short left;   /* so many operations still go to the host without a look at their sizes, */
        short before; /* of so many after the last one that was looked at went to the host; 0: it did not */
    } pass[UNO_COLLECTIVES];
    struct uno_large large[UNO_COLLECTIVES];
};

struct uno_comm {
    /* the lane that carries its operations; NULL: its ranks are not all on this node */
    struct uno_lane *lane;
    struct uno_nodes *nodes; /* then, if not NULL, the nodes of the ranks (hierarchy/nodes.h) */
    int size, rank;
    int *pe; /* the PE of each rank */
    /* the position of each rank among the members in PE order; NULL: the same order */
    int *place;
    const void **data;      /* room for one pointer for each rank, to the data of an operation */
    struct uno_group group; /* the group of the lane's PE */
    /* the unit that carries its small data, where that is more than the boards; otherwise NULL */
    const struct uno_unit *unit;
    bool apart; /* its ranks are on several nodes: there is no memory for larger data */
    struct uno_plan plan;
    unsigned mark; /* the mark of the present operation: UNO_COMM_MARKED and 9 bits; 0: none */
};

/* Return the engine's signature of one meeting of an operation. */
static inline unsigned uno_comm_signature(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    return UNO_SIGNATURE(op, ((unsigned)bytes & (UNO_COMM_MARKED - 1)) ^ c->mark);
}

/* Give the communicator a lane. pe: the PE of each rank, which is freed with the communicator. Size and rank
 * are set already. */
void uno_comm_connect(struct uno_comm *c, struct uno_lane *lane, int *pe);

/* Free what the communicator has allocated; its lane is no longer its own. */
void uno_comm_disconnect(struct uno_comm *c);

/* Switch the lane's PE to the group of the communicator. */
void uno_comm_enter(const struct uno_comm *c);

/* Return the lane's PE for the next operation. */
static inline struct uno_pe *uno_comm_count(const struct uno_comm *c) {
    if (UNO_UNLIKELY(!(++c->lane->calls % 256)))
        c->lane->poll();
    return c->lane->pe;
}

/* Return the lane's PE, switched to the communicator's group. */
static inline struct uno_pe *uno_comm_pe(const struct uno_comm *c) {
    if (UNO_UNLIKELY(c->lane->present != c))
        uno_comm_enter(c);
    return uno_comm_count(c);
}

/* Return the members' data by rank. */
static inline const void *const *uno_comm_sort(const struct uno_comm *c, const void *const *data) {
    if (UNO_LIKELY(!c->place))
        return data;
    for (int r = 0; r < c->size; r++)
        c->data[r] = data[c->place[r]];
    return c->data;
}

#endif
