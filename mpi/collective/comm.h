/* A communicator as the collectives know it: its ranks, their PEs in shared memory or the nodes on which they
 * are, and what its operations have shown so far. Whoever serves the program fills it in, and keeps it as
 * long as the communicator lives. */

#ifndef UNO_COMM_H
#define UNO_COMM_H

#include <stdbool.h>

#include "collective/lane.h"
#include "collective/ops.h"
#include "engine/rendezvous.h"
#include "engine/trial.h"

enum { UNO_COLLECTIVES = UNO_MPI_LAST - UNO_MPI_FIRST + 1 };

struct uno_nodes;

/* Of an operation: done here is what has so many bytes as a row of `count` numbers has, from the least one
 * on; of that, blocks of up to `ring` bytes go from rank to rank without a meeting. */
struct uno_band {
    size_t least, count, ring;
};

/* Which way large blocks of an operation go (plan.c), by a trial of this rank's. Sets are of powers of two of
 * bytes. */
struct uno_large {
    struct uno_trial trial; /* way 0: in pieces; 1: in one copy */
    uint32_t kept, tried;   /* went best in pieces, have been tried */
    uint64_t start;         /* of this rank's operation, ns */
    unsigned short rests;   /* large operations from one trial to the next */
    unsigned char power;    /* the trial is about these bytes, */
    unsigned char trials;   /* and has so many before it */
};

/* Where a communicator's operations go (plan.h). The same at all of its ranks, but for what a trial has
 * learned and when its operation began. */
struct uno_plan {
    bool crowded; /* more ranks on the node than processors */
    bool direct;  /* ranks may read each other's memory; false for good once one could not */
    struct uno_band band[UNO_COLLECTIVES];
    struct {
        short left;   /* so many operations are still the host's without a look at their sizes, */
        short before; /* of so many, since the last one that was looked at was the host's; 0: it was not */
    } pass[UNO_COLLECTIVES];
    struct uno_large large[UNO_COLLECTIVES];
};

struct uno_comm {
    struct uno_lane *lane;   /* that carries its operations; NULL: its ranks are not all on this node */
    struct uno_nodes *nodes; /* then, if not NULL, on which nodes they are (hierarchy/nodes.h) */
    int size, rank;
    int *pe;                /* of each rank */
    int *place;             /* of each rank among the members in PE order; NULL: the same order */
    const void **data;      /* room for the data of an operation, by rank */
    struct uno_group group; /* of the lane's PE */
    struct uno_plan plan;
    unsigned mark; /* of the present operation: UNO_COMM_MARKED and 9 bits; 0: none */
};

/* Of a part of the operation. */
static inline unsigned uno_comm_signature(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    return UNO_SIGNATURE(op, ((unsigned)bytes & (UNO_COMM_MARKED - 1)) ^ c->mark);
}

/* Give it a lane; pe: the PE of each rank, to be freed with it. Size and rank are filled in. */
void uno_comm_connect(struct uno_comm *c, struct uno_lane *lane, int *pe);

/* Its lane is not this communicator's any more, and what it has allocated is free. */
void uno_comm_disconnect(struct uno_comm *c);

/* The lane's PE goes to the group of the communicator. */
void uno_comm_enter(const struct uno_comm *c);

/* The communicator's PE, for the next operation. */
static inline struct uno_pe *uno_comm_count(const struct uno_comm *c) {
    if (UNO_UNLIKELY(!(++c->lane->calls % 256)))
        c->lane->poll();
    return c->lane->pe;
}

/* The same, in its group. */
static inline struct uno_pe *uno_comm_pe(const struct uno_comm *c) {
    if (UNO_UNLIKELY(c->lane->present != c))
        uno_comm_enter(c);
    return uno_comm_count(c);
}

/* What the members put, by rank. */
static inline const void *const *uno_comm_sort(const struct uno_comm *c, const void *const *data) {
    if (UNO_LIKELY(!c->place))
        return data;
    for (int r = 0; r < c->size; r++)
        c->data[r] = data[c->place[r]];
    return c->data;
}

#endif
