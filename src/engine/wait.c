#include "wait.h"

#include "fault.h"

/* Yields between two looks at the clock. */
#ifndef UNO_YIELD_STEPS
#define UNO_YIELD_STEPS 16
#endif

enum {
    SPIN_STEPS = 64, /* polls between two looks at the clock */
    SPIN_NS = 100 * 1000,
    YIELD_NS = 1000 * 1000,
    SLEEP_NS = 100 * 1000 * 1000, /* at most, then look whether the job has failed */
};

/* Sleep until PE k changes its header from `seen`. The poster stores the header and then loads `parked`; the
 * sleeper adds to `parked` and then loads the header. Each needs a full fence between the two, or both can
 * miss the other. The sleeper's fence makes the posters run theirs, so that a post costs none. SYNC PARKED:
 * the header to the sleeper, or the sleeper to the poster */
static void sleep_on(struct uno_board *poster, uno_atomic64 *header, uint64_t seen) {
    uno_add32_seq_cst(&poster->parked, 1);
    uno_kernel_fence();
    if (uno_load64_relaxed(header) == seen)
        uno_kernel_sleep(header, seen, SLEEP_NS);
    uno_add32_seq_cst(&poster->parked, (uint32_t)-1);
}

void uno_wait_step(struct uno_pe *pe, struct uno_wait *wait, int k, unsigned signature, uno_atomic64 *header,
                   uint64_t seen) {
    if (pe->spin && !wait->yields) {
        uno_pause();
        if (++wait->steps % SPIN_STEPS)
            return;
    } else {
        uno_kernel_yield();
        if (++wait->steps % UNO_YIELD_STEPS)
            return;
    }
    uno_fault_check(pe, k, signature);
    /* SYNC LEFT: every post of the PE that left */
    wait->left = uno_load32_acquire(&pe->job->board[k].state) == UNO_LEFT;
    uint64_t now = uno_kernel_now();
    if (!wait->began) {
        wait->began = now;
        uno_store64_relaxed(&pe->board->since, now);
    }
    wait->yields |= now - wait->began >= SPIN_NS;
    if (now - wait->began >= YIELD_NS && !wait->left) {
#ifdef UNO_AWAKE
        header = NULL;
#endif
        if (header)
            sleep_on(&pe->job->board[k], header, seen);
        else
            uno_kernel_pause(YIELD_NS);
        wait->steps = UNO_YIELD_STEPS - 1; /* look at everything again after one more yield */
    }
}

void uno_wait_end(struct uno_pe *pe, const struct uno_wait *wait) {
    if (wait->began)
        uno_store64_relaxed(&pe->board->since, 0);
}
