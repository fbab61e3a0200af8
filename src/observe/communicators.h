/* The communicators of this rank, by their handles: who is in each, and an id that is the same at all
 * members, without a message more. A window or a file in which all members of a communicator meet counts as
 * one of its own. */

#ifndef UNO_SEEN_COMMUNICATORS_H
#define UNO_SEEN_COMMUNICATORS_H

#include "record.h"

struct uno_seen_known {
    struct uno_seen_known *next;
    uint64_t handle, id;
    uint32_t number;    /* in the memory */
    int peers, *peer;   /* the world's rank of each peer */
    int others, *other; /* of an intercommunicator that of each member of the own group */
    int rank;           /* this rank's own in it; between groups -1 */
    uint64_t met;       /* collectives so far */
    long uses;          /* 1 for its handle, and 1 for each request that is about it */
};

/* Return the communicator of a handle; NULL: the handle is none, or memory is short. */
struct uno_seen_known *uno_seen_comm_of(struct uno_seer *seer, uint64_t handle);

/* Add one that was made from another one; NULL: from none. */
struct uno_seen_known *uno_seen_comm_made(struct uno_seer *seer, uint64_t handle,
                                          const struct uno_seen_known *from);

/* Add a window or file that a communicator has opened, as `what` says. */
void uno_seen_comm_opened(struct uno_seer *seer, uint64_t handle, const struct uno_seen_known *from,
                          const char *what);

/* Return the handle by which a window or a file is known here. It is none of a communicator's, in which bits
 * 62 and 63 are the same: those are addresses, or numbers of 32 bits that have been extended. */
static inline uint64_t uno_seen_object(uint64_t handle) {
    return handle ^ UINT64_C(1) << 62;
}

/* Its handle is freed; it is kept while requests are about it. */
void uno_seen_comm_freed(uint64_t handle);

/* A request is about it, or no longer. */
void uno_seen_comm_use(struct uno_seen_known *comm);
void uno_seen_comm_leave(struct uno_seen_known *comm);

/* Forget all. */
void uno_seen_comm_end(void);

/* Return the world's rank of a peer. */
static inline int uno_seen_world(const struct uno_seen_known *comm, int rank) {
    return rank >= 0 && rank < comm->peers ? comm->peer[rank] : -1;
}

#endif
