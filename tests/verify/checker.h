/* src/engine/atomic.h under Relacy: the same names, each access followed by the checker. Each
 * thread of the model is one PE. */

#ifndef CHECKER_H
#define CHECKER_H

#include <cstring>

#include "history.h"

#include "cells.h"

#ifndef CHECKER_CELLS
#define CHECKER_CELLS 32 /* of each kind; they are made anew for each execution */
#endif

#ifndef CHECKER_THREADS
#define CHECKER_THREADS 4 /* at most */
#endif

/* Words that one thread alone uses are ordinary memory, and no step of a schedule. Without CHECKER_OWN there
 * are none: the number of the first one is that of no cell. */
#ifndef CHECKER_OWN
#define CHECKER_OWN 1
#endif

static bool sleeps; /* a PE that waits long sleeps until it is woken; otherwise it looks again and again */
static bool spins;  /* every PE has a processor of its own, and looks there before it gives it away */

/* The objects of the present execution. */
struct checker_cells {
    rl::atomic<uint32_t> fence[CHECKER_THREADS]; /* see uno_fence_light */
    rl::atomic<uint64_t> atomic64[CHECKER_CELLS];
    rl::atomic<uint32_t> atomic32[CHECKER_CELLS];
    rl::var<uint64_t> plain64[CHECKER_CELLS];
    rl::mutex futex;                                 /* stands for the kernel's lock on a futex */
    rl::condition_variable sleeper[CHECKER_THREADS]; /* each thread */
    uint64_t slept_on[CHECKER_THREADS][2];           /* atomic64s, plus 1; under the lock; 0: none */
    unsigned slept[CHECKER_THREADS];                 /* how often each thread has */

    uint64_t own[CHECKER_OWN];   /* words of one thread, */
    unsigned owner[CHECKER_OWN]; /* which is this one, plus 1; 0: nobody has used it */

    unsigned used64, used32, used_plain, used_own; /* so many of them */
    bool owns;                                     /* the next words belong to one thread each */

    void begin() {
        used64 = used32 = used_plain = used_own = 0;
        owns = false;
        memset(slept_on, 0, sizeof slept_on);
        memset(slept, 0, sizeof slept);
        for (int t = 0; t < CHECKER_THREADS; t++)
            fence[t].store(0, rl::mo_relaxed, $);
    }

    /* Return the number of an unused cell. */
    unsigned fresh64(uint64_t value) {
        if (owns) {
            RL_ASSERT(used_own < CHECKER_OWN);
            own[used_own] = value;
            owner[used_own] = 0;
            return CHECKER_CELLS + used_own++;
        }
        RL_ASSERT(used64 < CHECKER_CELLS);
        atomic64[used64].store(value, rl::mo_relaxed, $);
        return used64++;
    }
    unsigned fresh32(uint32_t value) {
        RL_ASSERT(used32 < CHECKER_CELLS);
        atomic32[used32].store(value, rl::mo_relaxed, $);
        return used32++;
    }
    unsigned fresh_plain() {
#ifdef CHECKER_RAW
        return 0;
#endif
        RL_ASSERT(used_plain < CHECKER_CELLS);
        plain64[used_plain]($) = 0;
        return used_plain++;
    }
};
extern checker_cells *checker;

static inline bool checker_owned(const uno_atomic64 *a) {
    return CHECKER_OWN > 1 && a->number >= CHECKER_CELLS;
}
static inline uint64_t *checker_own(const uno_atomic64 *a) {
    unsigned i = (unsigned)a->number - CHECKER_CELLS, me = rl::thread_index() + 1;
    RL_ASSERT(i < checker->used_own && (!checker->owner[i] || checker->owner[i] == me));
    checker->owner[i] = me;
    return &checker->own[i];
}

static inline uint64_t uno_load64_relaxed(const uno_atomic64 *a) {
    if (checker_owned(a))
        return *checker_own(a);
    return checker->atomic64[a->number].load(rl::mo_relaxed, $);
}
static inline uint64_t uno_load64_acquire(const uno_atomic64 *a) {
    if (checker_owned(a))
        return *checker_own(a);
    return checker->atomic64[a->number].load(rl::mo_acquire, $);
}
static inline uint64_t uno_load64_seq_cst(const uno_atomic64 *a) {
    return checker->atomic64[a->number].load(rl::mo_seq_cst, $);
}
static inline void uno_store64_relaxed(uno_atomic64 *a, uint64_t v) {
    if (checker_owned(a))
        *checker_own(a) = v;
    else
        checker->atomic64[a->number].store(v, rl::mo_relaxed, $);
}
static inline void uno_store64_release(uno_atomic64 *a, uint64_t v) {
    if (checker_owned(a))
        *checker_own(a) = v;
    else
        checker->atomic64[a->number].store(v, rl::mo_release, $);
}
static inline uint32_t uno_load32_relaxed(const uno_atomic32 *a) {
    return checker->atomic32[a->number].load(rl::mo_relaxed, $);
}
static inline uint32_t uno_load32_acquire(const uno_atomic32 *a) {
    return checker->atomic32[a->number].load(rl::mo_acquire, $);
}
static inline void uno_store32_relaxed(uno_atomic32 *a, uint32_t v) {
    checker->atomic32[a->number].store(v, rl::mo_relaxed, $);
}
static inline void uno_store32_release(uno_atomic32 *a, uint32_t v) {
    checker->atomic32[a->number].store(v, rl::mo_release, $);
}
/* CHECKER_RAW: plain memory holds its values itself, so that files which copy it as bytes can be checked.
 * Races of it are not found. */
static inline void uno_write64_plain(uno_plain64 *p, uint64_t v) {
#ifdef CHECKER_RAW
    p->number = v;
#else
    checker->plain64[p->number]($) = v;
#endif
}
static inline uint64_t uno_read64_plain(const uno_plain64 *p) {
#ifdef CHECKER_RAW
    return p->number;
#else
    return checker->plain64[p->number]($);
#endif
}
static inline void uno_write_plain(uno_plain64 *p, const void *data, size_t bytes) {
    for (size_t i = 0; i < bytes / 8; i++)
        uno_write64_plain(&p[i], ((const uint64_t *)data)[i]);
}
static inline void uno_read_plain(void *data, const uno_plain64 *p, size_t bytes) {
    for (size_t i = 0; i < bytes / 8; i++)
        ((uint64_t *)data)[i] = uno_read64_plain(&p[i]);
}
static inline bool uno_cas64_relaxed(uno_atomic64 *a, uint64_t from, uint64_t to) {
    return checker->atomic64[a->number].compare_exchange_strong(from, to, rl::mo_relaxed, $);
}
static inline bool uno_cas64_acquire(uno_atomic64 *a, uint64_t from, uint64_t to) {
    return checker->atomic64[a->number].compare_exchange_strong(from, to, rl::mo_acquire, $);
}
static inline bool uno_cas64_release(uno_atomic64 *a, uint64_t from, uint64_t to) {
    return checker->atomic64[a->number].compare_exchange_strong(from, to, rl::mo_release, $);
}
static inline bool uno_cas64_acq_rel(uno_atomic64 *a, uint64_t from, uint64_t to) {
    return checker->atomic64[a->number].compare_exchange_strong(from, to, rl::mo_acq_rel, $);
}
static inline bool uno_cas32_acq_rel(uno_atomic32 *a, uint32_t from, uint32_t to) {
    return checker->atomic32[a->number].compare_exchange_strong(from, to, rl::mo_acq_rel, $);
}
static inline uint64_t uno_add64_relaxed(uno_atomic64 *a, uint64_t v) {
    if (checker_owned(a))
        return *checker_own(a) += v, *checker_own(a) - v;
    return checker->atomic64[a->number].fetch_add(v, rl::mo_relaxed, $);
}
static inline uint64_t uno_or64_seq_cst(uno_atomic64 *a, uint64_t v) {
    return checker->atomic64[a->number].fetch_or(v, rl::mo_seq_cst, $);
}
static inline uint64_t uno_swap64_seq_cst(uno_atomic64 *a, uint64_t v) {
    return checker->atomic64[a->number].exchange(v, rl::mo_seq_cst, $);
}
static inline uint32_t uno_or32_seq_cst(uno_atomic32 *a, uint32_t v) {
    return checker->atomic32[a->number].fetch_or(v, rl::mo_seq_cst, $);
}
static inline uint32_t uno_and32_seq_cst(uno_atomic32 *a, uint32_t v) {
    return checker->atomic32[a->number].fetch_and(v, rl::mo_seq_cst, $);
}
static inline uint32_t uno_add32_seq_cst(uno_atomic32 *a, uint32_t v) {
    return checker->atomic32[a->number].fetch_add(v, rl::mo_seq_cst, $);
}

/* The asymmetric fence, and no more of it than is there. The heavy side has every other thread run a full
 * fence at some moment between its call and its return. So of each light fence of another thread and each
 * heavy one the earlier one, by that moment, is followed by the later: what was done before the earlier is
 * visible after the later. Two light ones order nothing. That is what a read-modify-write of a word of the
 * thread's own gives, which the heavy side changes too; first of all threads, to give, then of all, to take,
 * so that it makes no order between two others. Without sleep there is no heavy side, and the light one is
 * nothing, as it ships. */
static inline void uno_fence_light(void) {
    if (sleeps)
        checker->fence[rl::thread_index()].fetch_add(1, rl::mo_acq_rel, $);
}
static inline void checker_fence_heavy(void) {
    if (!sleeps)
        return;
    for (unsigned t = 0; t < CHECKER_THREADS; t++)
        if (t != rl::thread_index())
            checker->fence[t].fetch_add(1, rl::mo_release, $);
    for (unsigned t = 0; t < CHECKER_THREADS; t++)
        if (t != rl::thread_index())
            checker->fence[t].fetch_add(1, rl::mo_acquire, $);
}

static inline void uno_pause(void) {}
static inline void uno_prefetch_write(const void *p) {
    (void)p;
}
static inline void uno_prefetch_read(const void *p) {
    (void)p;
}

#endif
