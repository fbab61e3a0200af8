/* How a PE sleeps until anyone has something for it.
 *
 * A bell counts its PE's sleeps, times 4; plus what the PE does: 0 it is awake, 1 it sleeps, 2 it is being
 * woken. Whoever has something for the PE (a message, room in a ring) stores that and rings; the PE stores
 * that it sleeps and then looks whether there is something. Each needs a full fence between the two, or both
 * can miss the other. The sleeper's fence makes the others run theirs, so that ringing costs none. */

#ifndef UNO_BELL_H
#define UNO_BELL_H

#include "kernel.h"

/* rung: the last sleep that the caller has ended. It wakes once for each: the sleeper looks at everything
 * when it runs, and again before it sleeps another time. A second caller wakes too, since the first may have
 * been stopped before it could. */
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

/* Whether the PE still is in the sleep that it has begun: nobody has rung since. */
static inline bool uno_bell_quiet(const uno_atomic64 *bell) {
    return (uno_load64_relaxed(bell) & 3) == 1;
}

/* Be about to sleep: to be followed by uno_kernel_fence, after which is visible what others stored before
 * they looked at the bell. */
static inline void uno_bell_arm(uno_atomic64 *bell) {
    uno_store64_relaxed(bell, (uno_load64_relaxed(bell) | 3) + 2);
}

/* Sleep no more. */
static inline void uno_bell_disarm(uno_atomic64 *bell) {
    uno_store64_relaxed(bell, uno_load64_relaxed(bell) & ~(uint64_t)3);
}

#endif
