/* The host's communicators: found by their handles at first use, and kept as an attribute of the
 * communicator, so that however it is freed what is kept here is freed too. */

#ifndef UNO_HOST_COMM_H
#define UNO_HOST_COMM_H

#include "accelerator/host/handle.h"
#include "accelerator/host/host.h"
#include "collective/comm.h"

struct uno_host_comm {
    uno_atomic64 handle; /* of the communicator; 0: it has been freed */
    struct uno_comm comm;
    bool revoked;             /* everything is the host's */
    MPI_Comm own;             /* the communicator, */
    MPI_Comm inside, leaders; /* and if its ranks are on several nodes, of this node, and of their leaders */
    struct uno_host_comm *next; /* of those that are free */
};

/* A small table in front: communicators by a hash of the handle. Slots hold addresses, and what they point
 * to is never given back, so a thread may look at one that another thread replaces. */
extern uno_atomic64 uno_comm_slot[UNO_HANDLES];

void uno_comm_start(void);
void uno_comm_end(void);

/* The host has revoked the communicator. */
void uno_comm_revoke(MPI_Comm comm);

/* The same as uno_comm_of for one that is not in the table. */
struct uno_comm *uno_comm_look_up(MPI_Comm comm);

/* What the collectives know of it: without a lane and nodes, if its operations are the host's. */
static inline struct uno_comm *uno_comm_of(MPI_Comm comm) {
    uint64_t handle = UNO_HANDLE(comm);
    /* SYNC COMM: the rest of the structure */
    struct uno_host_comm *c =
        (struct uno_host_comm *)(uintptr_t)uno_load64_acquire(&uno_comm_slot[uno_handle_hash(handle)]);
    if (UNO_LIKELY(c && uno_load64_relaxed(&c->handle) == handle))
        return &c->comm;
    return uno_comm_look_up(comm);
}

#endif
