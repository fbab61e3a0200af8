#include "wait.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

enum {
    SPIN_STEPS = 64,              /* polls between two looks at the clock */
    YIELD_STEPS = 16,             /* yields between two looks at the clock */
    SPIN_NS = 100 * 1000,         /* then yield */
    YIELD_NS = 1000 * 1000,       /* then sleep */
    SLEEP_NS = 100 * 1000 * 1000, /* then look whether the job has failed */
};

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A futex is 32 bits: the half of the header that holds the signature and the low bits of the number. */
static uint32_t *futex_word(uno_atomic64 *header) {
    return (uint32_t *)(void *)header + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

void uno_wait_start(void) {
    /* Jobs of threads and of processes both use the global command: a process has one way to sleep. */
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
}

/* Sleep until PE k changes its header from `seen`. The poster stores the header and then loads `parked`; the
 * sleeper adds to `parked` and then loads the header. Each pair needs a full fence between, and membarrier
 * makes the processors of all posters run one now, so that a post costs none. Where the kernel refuses it,
 * the bound on the sleep is what is left. */
static void sleep_on(struct uno_board *poster, uno_atomic64 *header, uint64_t seen) {
    uno_add32_seq_cst(&poster->parked, 1);
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
    if (uno_load64_relaxed(header) == seen) {
        struct timespec limit = {.tv_nsec = SLEEP_NS};
        syscall(SYS_futex, futex_word(header), FUTEX_WAIT, (uint32_t)seen, &limit, NULL, 0);
    }
    uno_add32_seq_cst(&poster->parked, (uint32_t)-1);
}

void uno_wake(uno_atomic64 *header) {
    syscall(SYS_futex, futex_word(header), FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void uno_wait_step(struct uno_pe *pe, struct uno_wait *wait, int k, unsigned signature, uno_atomic64 *header,
                   uint64_t seen) {
    if (pe->spin && !wait->yields) {
        uno_pause();
        if (++wait->steps % SPIN_STEPS)
            return;
    } else {
        sched_yield();
        if (++wait->steps % YIELD_STEPS)
            return;
    }
    uno_fault_check(pe, k, signature);
    /* SYNC LEFT: every post of the PE that left */
    wait->left = uno_load32_acquire(&pe->job->board[k].state) == UNO_LEFT;
    uint64_t t = now();
    if (!wait->began) {
        wait->began = t;
        uno_store64_relaxed(&pe->board->since, t);
    }
    wait->yields = t - wait->began >= SPIN_NS;
    if (t - wait->began >= YIELD_NS && !wait->left) {
        if (header)
            sleep_on(&pe->job->board[k], header, seen);
        else
            nanosleep(&(struct timespec){.tv_nsec = YIELD_NS}, NULL);
        wait->steps = YIELD_STEPS - 1; /* look at everything again after one more yield */
    }
}

void uno_wait_end(struct uno_pe *pe, const struct uno_wait *wait) {
    if (wait->began)
        uno_store64_relaxed(&pe->board->since, 0);
}
