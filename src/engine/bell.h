/* The bell, on which a PE sleeps until another PE has something for it.
 *
 * The word counts its PE's sleeps, times 4, plus the PE's state: 0 it is awake, 1 it sleeps, 2 it is being
 * woken. A PE that has something for the owner (a message, room in a ring) stores that and rings; the owner
 * stores that it sleeps and then looks whether there is something. Each needs a full fence between its two
 * accesses, or both can miss the other. The sleeper's fence makes the other PEs run theirs too, so that
 * ringing costs none. */

#ifndef UNO_BELL_H
#define UNO_BELL_H

#include "kernel.h"

/* Wake the owner of the bell if it sleeps. *rung is the last sleep that the caller has ended: it makes one
 * system call for each sleep, since the owner looks at everything when it runs, and again before it sleeps
 * another time. A second caller wakes the owner too, since the first may have been stopped before it
 * could. */
static inline void uno_bell_ring(uno_atomic64 *bell, uint64_t *rung) {
    /* SYNC BELL: what was stored before to the sleeper, or the sleeper to whoever rings */
    uno_fence_light();
    uint64_t seen = uno_load64_relaxed(bell);
    if (__builtin_expect((seen & 3) != 0 && seen >> 2 != *rung, 0)) {
        if ((seen & 3) == 1)
            uno_cas64_relaxed(bell, seen, seen + 1);
        *rung = seen >> 2;
        uno_kernel_wake(bell);
    }
}

/* Return true if nobody has rung since the PE armed its bell. */
static inline bool uno_bell_quiet(const uno_atomic64 *bell) {
    return (uno_load64_relaxed(bell) & 3) == 1;
}

/* Announce that this PE is about to sleep. The caller then calls uno_kernel_fence, after which it sees
 * everything that other PEs stored before they looked at the bell. */
static inline void uno_bell_arm(uno_atomic64 *bell) {
    uno_store64_relaxed(bell, (uno_load64_relaxed(bell) | 3) + 2);
}

/* Announce that this PE no longer sleeps. */
static inline void uno_bell_disarm(uno_atomic64 *bell) {
    uno_store64_relaxed(bell, uno_load64_relaxed(bell) & ~(uint64_t)3);
}

#endif
