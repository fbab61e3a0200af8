/* The kernel's functions that waiting uses, in a model. */

#ifndef KERNEL_MODEL_H
#define KERNEL_MODEL_H

#include "engine/tuning.h"

#include "explore.h"

/* Relacy never shows a thread that has yielded an older value than it had seen before: otherwise one that
 * looks again and again might never end. No processor promises that. So a thread that can sleep, which ends
 * its looks, does not yield here. */
void uno_kernel_yield(void) {
    if (!sleeps)
        rl::yield(1, $);
}

/* There is one processor. */
void uno_spread(struct uno_pe *, uint32_t) {}

void uno_kernel_pause(uint64_t) {
    rl::yield(1, $);
}

void uno_kernel_fence(void) {
    checker_fence_heavy();
}

/* A short sleep ends by itself: a nap, which has no fence, so that its wake may be lost; and that of a PE
 * that is stopped by an interrupt, which nobody wakes when another leaves. A model may say otherwise. */
#ifndef MODEL_ENDS
#define MODEL_ENDS(ns) ((ns) <= UNO_BLIND_LEAST_NS)
#endif

/* A futex: for a waker, comparing and falling asleep are one step. */
bool uno_kernel_sleep_either(uno_atomic64 *a, uint64_t a_seen, uno_atomic64 *b, uint64_t b_seen,
                             uint64_t ns) {
    unsigned me = rl::thread_index();
    if (!sleeps || MODEL_ENDS(ns)) {
        rl::yield(1, $);
        return true;
    }
    checker->futex.lock($);
    if (uno_load64_relaxed(a) == a_seen && (b == a || uno_load64_relaxed(b) == b_seen)) {
        checker->slept_on[me][0] = a->number + 1;
        checker->slept_on[me][1] = b->number + 1;
        checker->slept[me]++;
        checker->sleeper[me].wait(checker->futex, $);
    }
    checker->futex.unlock($);
    return true;
}

void uno_kernel_sleep(uno_atomic64 *header, uint64_t seen, uint64_t ns) {
    uno_kernel_sleep_either(header, seen, header, seen, ns);
}

void uno_kernel_wake(uno_atomic64 *header) {
    checker->futex.lock($);
    for (int t = 0; t < CHECKER_THREADS; t++)
        if (checker->slept_on[t][0] == header->number + 1 || checker->slept_on[t][1] == header->number + 1) {
            checker->slept_on[t][0] = checker->slept_on[t][1] = 0;
            checker->sleeper[t].notify_all($);
        }
    checker->futex.unlock($);
}

#endif
