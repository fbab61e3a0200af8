/* How a PE of a model waits with a bell: the part of channel.c that the checker cannot run, in a few lines.
 */

#ifndef BELL_MODEL_H
#define BELL_MODEL_H

#include "kernel_model.h"

template <typename Look> bool look(void *there) {
    return (*(Look *)there)();
}

/* One step of waiting until what the PE of this bell looks at says that it is there. */
template <typename Look> void wait_step(uno_atomic64 *bell, Look there) {
    if (sleeps)
        uno_bell_sleep(bell, look<Look>, &there, 0);
    else
        rl::yield(1, $);
}

template <typename Look> void wait_until(uno_atomic64 *bell, Look there) {
    while (!there())
        wait_step(bell, there);
}

#endif
