/* Locks in memory that ranks share: for one rank alone, or for several that share it; those who ask get it in
 * the order in which they have asked. A rank whose turn has not come sleeps as it does for a message, and
 * gets one when its turn comes.
 *
 * Who asks takes a ticket. It has the lock when all before it have given theirs back (`write` counts them),
 * or, if it only shares it, when all before it share it, too (`read` counts those, and what was given back).
 * Who has to wait puts its number into the place of its ticket, and looks again; who counts one of the two on
 * looks there. Each of these steps reads and writes at once, so that one of the two sees the other; and
 * whichever takes the number out again decides: if it was the other, a message is on its way. */

#ifndef UNO_MPI_LOCK_H
#define UNO_MPI_LOCK_H

#include <stdint.h>

#include "engine/atomic.h"

struct uno_win_lock {
    uno_atomic32 tickets __attribute__((aligned(64))); /* given out */
    uno_atomic32 read, write;
};

/* A lock with the places of those who wait for it. */
struct uno_win_queue {
    struct uno_win_lock *lock;
    uno_atomic64 *waiting;
    uint32_t places; /* a power of two, and at least the number of ranks */
    bool alone;      /* nobody ever shares it */
};

enum { UNO_NOBODY = -1 };

/* Take a ticket. */
uint32_t uno_lock_ask(const struct uno_win_queue *queue);

/* Return true if it is the turn of the ticket. */
bool uno_lock_is_free(const struct uno_win_queue *queue, uint32_t ticket, bool exclusive);

/* Rank `rank` is about to wait. Returns false if it is its turn meanwhile, and nobody will tell. */
bool uno_lock_wait(const struct uno_win_queue *queue, uint32_t ticket, bool exclusive, int rank);

/* Whoever got it shares it: others may, too. Returns the rank whose turn has come, and that must be told; or
 * UNO_NOBODY. */
int uno_lock_share(const struct uno_win_queue *queue);

/* Give it back: two ranks may have to be told, or UNO_NOBODY. */
void uno_lock_give(const struct uno_win_queue *queue, bool exclusive, int told[2]);

/* ---- beside a lock ----------------------------------------------------------------------------------------
 *
 * A rank changes what the lock is for without having the lock, if what it does there is one instruction. Who
 * has the lock alone may close the target to such ranks. Each of the two stores what it does and then looks
 * for the other. */

/* Begin a change of a target, whose number, from 1 on, this rank stores in a word of its own. Returns false
 * if the target is closed; then nothing has begun. */
static inline bool uno_change_begin(uno_atomic64 *own, uint64_t target, uno_atomic64 *closed) {
    /* SYNC BESIDE, SYNC CLOSED (2): this rank to who closes, or that to this rank, with all that was changed
     */
    uno_swap64_seq_cst(own, target);
    if (__builtin_expect(!uno_load64_seq_cst(closed), 1))
        return true;
    /* SYNC BESIDE: that this rank changes nothing */
    uno_store64_release(own, 0);
    return false;
}

static inline void uno_change_end(uno_atomic64 *own) {
    /* SYNC BESIDE: what this rank has changed */
    uno_store64_release(own, 0);
}

/* Close the target, and open it again. */
static inline void uno_lock_close(uno_atomic64 *closed) {
    /* SYNC CLOSED: this rank to who begins a change */
    uno_swap64_seq_cst(closed, 1);
}
static inline void uno_lock_open(uno_atomic64 *closed) {
    /* SYNC CLOSED: what this rank has changed */
    uno_store64_release(closed, 0);
}

/* Return true if another rank, whose word that is, is in a change of the target, which is closed. */
static inline bool uno_lock_has_beside(const uno_atomic64 *others, uint64_t target) {
    /* SYNC BESIDE: what that rank has changed */
    return uno_load64_seq_cst(others) == target;
}

#endif
