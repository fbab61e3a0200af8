/* Communicators: which ranks of the node they join, found at first use and kept as an attribute of the
 * communicator, so that however it is freed this is freed too. */

#ifndef UNO_COMM_H
#define UNO_COMM_H

#include "collective/transport/plan.h"
#include "engine/rendezvous.h"
#include "collective/ops.h"
#include "collective/lane.h"
#include "accelerator/host/node.h"
#include "collective/hierarchy/nodes.h"

enum { UNO_COLLECTIVES = UNO_MPI_LAST - UNO_MPI_FIRST + 1 };

/* What a communicator's operations have shown so far: the same to all of its ranks, but `least` and `start`.
 */
struct uno_past {
    bool unreadable; /* a rank could not read from another one */
    struct {
        short left;   /* so many operations are still left to the host without a look at their sizes, */
        short before; /* of so many, since the last one that was looked at was the host's; 0: it was not */
    } pass[UNO_COLLECTIVES];
    struct uno_way {          /* of large blocks (ways.h); sets of powers of two of bytes: */
        uint32_t pieces;      /* go in pieces, from the next operation on, */
        uint32_t kept, tried; /* did so best, have been tried */
        uint32_t least[2];    /* of this rank, in this trial: ns in pieces, in one copy */
        uint64_t start;       /* of this rank's operation, ns */
        short since, wait;    /* large operations since the last trial, and until the next */
        unsigned char left;   /* operations of this trial, */
        unsigned char power;  /* which is about these bytes, */
        unsigned char trials; /* and has so many before it */
    } way[UNO_COLLECTIVES];
};

struct uno_comm {
    uno_atomic64 handle;     /* of the communicator; 0: it has been freed */
    struct uno_lane *lane;   /* that carries its operations; NULL: they are the host's, */
    struct uno_nodes *nodes; /* unless this is not NULL: its ranks are on several nodes */
    bool revoked;            /* everything is the host's */
    int size, rank;
    struct uno_band band[UNO_COLLECTIVES];
    struct uno_group group; /* of the lane's PE */
    int *pe;                /* of each rank */
    int *place;             /* of each rank among the members in PE order; NULL: the same order */
    const void **data;      /* room for the data of an operation, by rank */
    struct uno_past *past;
    struct uno_comm *next; /* of those that are free */
};

/* Whether an operation of so many bytes is accelerated. */
static inline bool uno_comm_takes(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    return bytes - c->band[op - UNO_MPI_FIRST].least < c->band[op - UNO_MPI_FIRST].count;
}

/* A small table in front: communicators by a hash of the handle. Slots hold addresses, and what they point
 * to is never given back, so a thread may look at one that another thread replaces. */
enum { UNO_COMM_SLOTS = 256 };
extern uno_atomic64 uno_comm_slot[UNO_COMM_SLOTS];

/* The same number for the same handle; different ones, mostly, for those that a program uses together. */
static inline unsigned uno_handle_hash(uint64_t handle) {
    return (uint32_t)((uint32_t)(handle ^ handle >> 32) * UINT32_C(0x9e3779b1)) >> 24;
}

/* An MPI handle is an int or a pointer. */
#define UNO_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

void uno_comm_start(void);
void uno_comm_end(void);

/* The host has revoked the communicator. */
void uno_comm_revoke(MPI_Comm comm);

/* The same as uno_comm_of for one that is not in the table. */
const struct uno_comm *uno_comm_look_up(MPI_Comm comm);

static inline const struct uno_comm *uno_comm_of(MPI_Comm comm) {
    uint64_t handle = UNO_HANDLE(comm);
    /* SYNC COMM: the rest of the structure */
    const struct uno_comm *c =
        (const struct uno_comm *)(uintptr_t)uno_load64_acquire(&uno_comm_slot[uno_handle_hash(handle)]);
    if (UNO_LIKELY(c && uno_load64_relaxed(&c->handle) == handle))
        return c;
    return uno_comm_look_up(comm);
}

/* The lane's PE is in another group. */
void uno_comm_enter(const struct uno_comm *c);

/* Once in a while. */
void uno_comm_let_host_work(void);

/* The communicator's PE, for the next operation. */
static inline struct uno_pe *uno_comm_count(const struct uno_comm *c) {
    if (UNO_UNLIKELY(!(++c->lane->calls % 256)))
        uno_comm_let_host_work();
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
