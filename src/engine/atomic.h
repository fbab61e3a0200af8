/* The only file that touches <stdatomic.h>: every memory order stands in the name of the function that uses
 * it. Each release and acquire in this project carries a comment `SYNC name: what becomes visible`, the same
 * name at both ends, so that `grep -rn 'SYNC name'` finds the pair. */

#ifndef UNO_ATOMIC_H
#define UNO_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef UNO_CHECKER
#include UNO_CHECKER /* the same names, under a model checker: tests/verify */
#else

#include <stdatomic.h>
#include <string.h>

typedef struct {
    _Atomic uint64_t v;
} uno_atomic64;

typedef struct {
    _Atomic uint32_t v;
} uno_atomic32;

/* Memory that several PEs use, kept in order by the atomics around it. */
typedef struct {
    uint64_t v;
} uno_plain64;

static inline void uno_write64_plain(uno_plain64 *p, uint64_t v) {
    p->v = v;
}

static inline uint64_t uno_read64_plain(const uno_plain64 *p) {
    return p->v;
}

/* Copy few bytes without a call: from 4 bytes on by words of which the last one may overlap. */
static inline void uno_copy_short(char *to, const char *from, size_t bytes) {
    if (bytes > 16) {
        size_t last = bytes - 16;
        for (size_t i = 0; i < last; i += 16)
            memcpy(to + i, from + i, 16);
        memcpy(to + last, from + last, 16);
    } else if (bytes >= 8) {
        memcpy(to, from, 8);
        memcpy(to + bytes - 8, from + bytes - 8, 8);
    } else if (bytes >= 4) {
        memcpy(to, from, 4);
        memcpy(to + bytes - 4, from + bytes - 4, 4);
    } else {
        for (size_t i = 0; i < bytes; i++)
            to[i] = from[i];
    }
}

/* Copy any number of bytes from or to whole words. */
static inline void uno_write_plain(uno_plain64 *p, const void *data, size_t bytes) {
    uno_copy_short((char *)p, data, bytes);
}
static inline void uno_read_plain(void *data, const uno_plain64 *p, size_t bytes) {
    uno_copy_short(data, (const char *)p, bytes);
}

static inline uint64_t uno_load64_relaxed(const uno_atomic64 *a) {
    return atomic_load_explicit(&a->v, memory_order_relaxed);
}
static inline uint64_t uno_load64_acquire(const uno_atomic64 *a) {
    return atomic_load_explicit(&a->v, memory_order_acquire);
}
static inline void uno_store64_relaxed(uno_atomic64 *a, uint64_t v) {
    atomic_store_explicit(&a->v, v, memory_order_relaxed);
}
static inline void uno_store64_release(uno_atomic64 *a, uint64_t v) {
    atomic_store_explicit(&a->v, v, memory_order_release);
}

static inline uint32_t uno_load32_relaxed(const uno_atomic32 *a) {
    return atomic_load_explicit(&a->v, memory_order_relaxed);
}
static inline uint32_t uno_load32_acquire(const uno_atomic32 *a) {
    return atomic_load_explicit(&a->v, memory_order_acquire);
}
static inline void uno_store32_relaxed(uno_atomic32 *a, uint32_t v) {
    atomic_store_explicit(&a->v, v, memory_order_relaxed);
}
static inline void uno_store32_release(uno_atomic32 *a, uint32_t v) {
    atomic_store_explicit(&a->v, v, memory_order_release);
}
static inline uint64_t uno_add64_relaxed(uno_atomic64 *a, uint64_t v) {
    return atomic_fetch_add_explicit(&a->v, v, memory_order_relaxed);
}
static inline uint64_t uno_add64_release(uno_atomic64 *a, uint64_t v) {
    return atomic_fetch_add_explicit(&a->v, v, memory_order_release);
}
static inline uint32_t uno_add32_seq_cst(uno_atomic32 *a, uint32_t v) {
    return atomic_fetch_add_explicit(&a->v, v, memory_order_seq_cst);
}
static inline uint64_t uno_or64_seq_cst(uno_atomic64 *a, uint64_t v) {
    return atomic_fetch_or_explicit(&a->v, v, memory_order_seq_cst);
}
static inline uint64_t uno_swap64_seq_cst(uno_atomic64 *a, uint64_t v) {
    return atomic_exchange_explicit(&a->v, v, memory_order_seq_cst);
}
static inline uint32_t uno_or32_seq_cst(uno_atomic32 *a, uint32_t v) {
    return atomic_fetch_or_explicit(&a->v, v, memory_order_seq_cst);
}
static inline uint32_t uno_and32_seq_cst(uno_atomic32 *a, uint32_t v) {
    return atomic_fetch_and_explicit(&a->v, v, memory_order_seq_cst);
}
/* Store `to` in *a if its value is `from`. Return true if it was. */
static inline bool uno_cas64_relaxed(uno_atomic64 *a, uint64_t from, uint64_t to) {
    return atomic_compare_exchange_strong_explicit(&a->v, &from, to, memory_order_relaxed,
                                                   memory_order_relaxed);
}
static inline bool uno_cas64_acquire(uno_atomic64 *a, uint64_t from, uint64_t to) {
    return atomic_compare_exchange_strong_explicit(&a->v, &from, to, memory_order_acquire,
                                                   memory_order_relaxed);
}
static inline bool uno_cas64_release(uno_atomic64 *a, uint64_t from, uint64_t to) {
    return atomic_compare_exchange_strong_explicit(&a->v, &from, to, memory_order_release,
                                                   memory_order_relaxed);
}
static inline bool uno_cas64_acq_rel(uno_atomic64 *a, uint64_t from, uint64_t to) {
    return atomic_compare_exchange_strong_explicit(&a->v, &from, to, memory_order_acq_rel,
                                                   memory_order_acquire);
}
static inline bool uno_cas32_acq_rel(uno_atomic32 *a, uint32_t from, uint32_t to) {
    return atomic_compare_exchange_strong_explicit(&a->v, &from, to, memory_order_acq_rel,
                                                   memory_order_acquire);
}

static inline uint64_t uno_load64_seq_cst(const uno_atomic64 *a) {
    return atomic_load_explicit(&a->v, memory_order_seq_cst);
}

/* Order everything before, of this thread, before everything behind, as all threads see it. */
static inline void uno_fence_full(void) {
    atomic_thread_fence(memory_order_seq_cst);
}

/* Order everything before, of this thread, before what it stores behind. */
static inline void uno_fence_release(void) {
    atomic_thread_fence(memory_order_release);
}

/* The light side of the asymmetric fence of wait.c: it orders the compiler alone, and the PE that parks pays
 * for the fence of the processors (uno_kernel_fence). */
static inline void uno_fence_light(void) {
    atomic_signal_fence(memory_order_seq_cst);
}

/* Tell the processor that this is a polling loop. */
static inline void uno_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Prefetch the cache line of `p` to write it soon. */
static inline void uno_prefetch_write(const void *p) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw (%0)" : : "r"(p)); /* the compiler knows it of newer processors only */
#else
    __builtin_prefetch(p, 1);
#endif
}

/* Prefetch the cache line of `p` to read it soon. */
static inline void uno_prefetch_read(const void *p) {
    __builtin_prefetch(p, 0);
}

#endif
#endif
