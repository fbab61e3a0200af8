/* What waiting asks of the kernel, in a model. */

#ifndef KERNEL_MODEL_H
#define KERNEL_MODEL_H

#include "explore.h"

void uno_kernel_yield(void) {
    rl::yield(1, $);
}

void uno_kernel_pause(uint64_t) {
    rl::yield(1, $);
}

void uno_kernel_fence(void) {
    rl::atomic_thread_fence(rl::mo_seq_cst, $);
}

/* A futex: comparing and falling asleep is one step for whoever wakes. */
void uno_kernel_sleep(uno_atomic64 *header, uint64_t seen, uint64_t) {
    if (!sleeps) {
        rl::yield(1, $);
        return;
    }
    checker->futex.lock($);
    if (uno_load64_relaxed(header) == seen)
        checker->sleepers[header->number].wait(checker->futex, $);
    checker->futex.unlock($);
}

bool uno_kernel_sleep_either(uno_atomic64 *, uint64_t, uno_atomic64 *, uint64_t, uint64_t) {
    RL_ASSERT(!"no PE of a model has a bell and waits for another word");
    return true;
}

void uno_kernel_wake(uno_atomic64 *header) {
    checker->futex.lock($);
    checker->sleepers[header->number].notify_all($);
    checker->futex.unlock($);
}

#endif
