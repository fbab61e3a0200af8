/* The host's communicators. They are found by their handles at first use, and kept as an attribute of the
 * communicator, so that this structure is freed however the communicator is freed. */

#ifndef UNO_HOST_COMM_H
#define UNO_HOST_COMM_H

#include "accelerator/host/handle.h"
#include "accelerator/host/host.h"
#include "collective/comm.h"

struct uno_host_comm {
    uno_atomic64 handle; /* the communicator's handle; 0: it has been freed */
    struct uno_comm comm;
    bool revoked; /* all operations are the host's */
    MPI_Comm own; /* the communicator, */
    /* and if its ranks are on several nodes, those of this node, and of the nodes' leaders */
    MPI_Comm inside, leaders;
    struct uno_host_comm *next; /* the next in the list of freed structures */
};

/* A small table of communicators by a hash of the handle. Slots hold addresses of structures that are never
 * freed, so a thread may look at one that another thread replaces. */
extern uno_atomic64 uno_comm_slot[UNO_HANDLES];

void uno_comm_start(void);
void uno_comm_end(void);

/* Note that the host has revoked the communicator. */
void uno_comm_revoke(MPI_Comm comm);

/* As uno_comm_of, for one that is not in the table. */
struct uno_comm *uno_comm_look_up(MPI_Comm comm);

/* Return the collectives' view of a communicator. It has no lane and no nodes if its operations are the
 * host's. */
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
