#include "wait.h"

#include "fault.h"

enum {
    SPIN_STEPS = 64, /* polls between two looks at the clock */
    SPIN_NS = 20 * 1000,
    /* More than an operation takes in which all PEs sleep, or they would never find back: 2 ms with 32 of
     * them on a processor. And less than a stranger keeps a processor that was given away, 3 ms: a PE that
     * sleeps is put before it when it is woken. */
    YIELD_NS = 200 * 1000,
    YIELD_PE_NS = 60 * 1000,      /* for each PE on a processor */
    NAP_NS = 500 * 1000,          /* a sleep without a fence */
    RECLAIM_NS = 1000 * 1000,     /* what cannot be slept on is looked at this often */
    SLEEP_NS = 100 * 1000 * 1000, /* at most, then look whether the job has failed */
    PROGRESS_NS = 1000 * 1000,    /* the same, with other work to go on with */
};

/* Sleep until PE k changes its header from `seen`. The poster stores the header and then loads `parked`; the
 * sleeper adds to `parked` and then loads the header. Each needs a full fence between the two, or both can
 * miss the other. The sleeper's fence makes the posters run theirs, so that a post costs none. SYNC PARKED:
 * the header to the sleeper, or the sleeper to the poster
 *
 * A nap has no fence: it is for a poster that waits for this very processor, and so is not between the two;
 * if it is on another one after all, its wake can be lost, and the nap lasts its time. */
static void sleep_on(struct uno_board *poster, uno_atomic64 *header, uint64_t seen, uint64_t limit) {
    uno_add32_seq_cst(&poster->parked, 1);
    if (limit > NAP_NS)
        uno_kernel_fence();
    if (uno_load64_relaxed(header) == seen)
        uno_kernel_sleep(header, seen, limit);
    uno_add32_seq_cst(&poster->parked, (uint32_t)-1);
}

/* How long it pays to give the processor away and come back. If it takes longer, either PE k computes, or a
 * stranger has got the processor, for milliseconds: a PE that sleeps is put before such a one when it is
 * woken. */
static uint64_t patience(const struct uno_job *job) {
#ifdef UNO_AWAKE /* the variant that unisono bench compares with */
    (void)job;
    return UINT64_MAX;
#else
    return YIELD_NS + YIELD_PE_NS * (uint64_t)(job->n / job->processors);
#endif
}

static void give_away(struct uno_wait *wait) {
    wait->given++;
    uno_kernel_yield();
}

/* Linux gives a processor away only to processes of the same group, and a session is one (autogroup,
 * sched(7)), as is a cgroup. MPICH's launcher starts each rank in a session of its own, so no rank lets
 * another one run by that: it must sleep. Whoever has given the processor away as often as it takes to go
 * round all of its PEs, and still misses one of them, is such a PE, unless it is known that it is not: then
 * the one that is missed computes. */
static bool gives_in_vain(const struct uno_pe *pe, const struct uno_wait *wait) {
    return !pe->together && wait->misses && wait->given > (unsigned)(pe->n / pe->job->processors) + 1;
}

uint32_t uno_wait_here(struct uno_pe *pe) {
    uint32_t here = uno_kernel_processor();
    if (here != uno_load32_relaxed(&pe->job->processor[pe->me]))
        uno_store32_relaxed(&pe->job->processor[pe->me], here);
    return here;
}

uint64_t uno_wait_sleep_ns(void) {
    return SLEEP_NS;
}

bool uno_wait_pace(struct uno_pe *pe, struct uno_wait *wait, int k, unsigned signature) {
    if (pe->spin && !wait->yields) {
        uno_pause();
        if (++wait->steps % SPIN_STEPS)
            return false;
    } else if (!wait->steps++) {
        /* Mostly one is enough, and the clock would cost pages to translate. */
        give_away(wait);
        return false;
    }
    uno_fault_check(pe, k, signature);
    uint64_t now = uno_kernel_now();
    if (!wait->began) {
        wait->began = now;
        uno_store64_relaxed(&pe->board->since, now);
    }
    wait->busy = pe->progress && pe->progress(pe);
    wait->yields |= now - wait->began >= SPIN_NS;
    if (pe->spin && !wait->yields)
        return false;
    wait->naps = now - wait->began < patience(pe->job);
    if (!wait->naps || gives_in_vain(pe, wait))
        return true;
    give_away(wait);
    return false;
}

void uno_wait_step(struct uno_pe *pe, struct uno_wait *wait, int k, unsigned signature, uno_atomic64 *header,
                   uint64_t seen) {
    if (!uno_wait_pace(pe, wait, k, signature))
        return;
    /* Not earlier: PE k writes this line in every operation.
     * SYNC LEFT: every post of the PE that left */
    wait->left = uno_load32_acquire(&pe->job->board[k].state) == UNO_LEFT;
    if (wait->left)
        return;
    if (header)
        sleep_on(&pe->job->board[k], header, seen, wait->naps ? NAP_NS : wait->busy ? PROGRESS_NS : SLEEP_NS);
    else
        uno_kernel_pause(RECLAIM_NS);
}

bool uno_wait_briefly(const uno_atomic64 *header, uint64_t seen) {
    for (int i = 0; i < UNO_SWITCH_POLLS; i++) {
        if (uno_load64_relaxed(header) != seen)
            return true;
        uno_pause();
    }
    return false;
}

void uno_wait_end(struct uno_pe *pe, const struct uno_wait *wait) {
    if (wait->began)
        uno_store64_relaxed(&pe->board->since, 0);
}
