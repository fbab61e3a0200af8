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

/* ---- a short lock -----------------------------------------------------------------------------------------
 *
 * One word, for a rank that needs it for a moment only. The others look again and again, in no order; who
 * gives it back learns that somebody wants it, and then lets that one have it first. */

struct uno_win_hold {
    uno_atomic64 rank;   /* that has it, plus 1; 0: none */
    uno_atomic32 wanted; /* by so many that look again */
};

static inline bool uno_hold_try(struct uno_win_hold *hold, int rank) {
    /* SYNC HOLD: everything that those did who had it before */
    return uno_cas64_acquire(&hold->rank, 0, (uint64_t)rank + 1);
}

/* Give it back. Returns true if somebody wants it. */
static inline bool uno_hold_end(struct uno_win_hold *hold) {
    /* SYNC HOLD: all that this rank did while it had it */
    uno_store64_release(&hold->rank, 0);
    return uno_load32_relaxed(&hold->wanted) != 0;
}

#endif
