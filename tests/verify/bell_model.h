/* How a PE of a model waits with a bell: the part of channel/channel.c that the checker cannot run, in a few
 * lines.
 */

#ifndef BELL_MODEL_H
#define BELL_MODEL_H

#include "kernel_model.h"

/* One step of waiting until what the PE of this bell looks at says that it is there. */
template <typename Look> void wait_step(uno_atomic64 *bell, Look there) {
    if (!sleeps) {
        rl::yield(1, $);
        return;
    }
    uno_bell_arm(bell);
    uno_kernel_fence();
    uint64_t rung = uno_load64_relaxed(bell);
    if (!there() && uno_bell_quiet(bell))
        uno_kernel_sleep(bell, rung, 0);
    uno_bell_disarm(bell);
}

template <typename Look> void wait_until(uno_atomic64 *bell, Look there) {
    while (!there())
        wait_step(bell, there);
}

#endif
