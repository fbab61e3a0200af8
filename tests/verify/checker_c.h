/* src/engine/atomic.h under Relacy, for C: the engine's files are compiled as they are, and linked with a
 * model in C++, in which these functions are those of checker.h. */

#ifndef CHECKER_C_H
#define CHECKER_C_H

#ifdef __cplusplus
#define CHECKER_C(type, name, parameters, arguments)                                                         \
    extern "C" type checker_##name parameters {                                                              \
        return uno_##name arguments;                                                                         \
    }
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cells.h"
#include "looks.h"

#define CHECKER_C(type, name, parameters, arguments)                                                         \
    type checker_##name parameters;                                                                          \
    static inline type uno_##name parameters {                                                               \
        return checker_##name arguments;                                                                     \
    }

static inline void uno_pause(void) {}
static inline void uno_prefetch_write(const void *p) {
    (void)p;
}
static inline void uno_prefetch_read(const void *p) {
    (void)p;
}
static inline void uno_copy_short(char *to, const char *from, size_t bytes) {
    memcpy(to, from, bytes);
}
#endif

CHECKER_C(uint64_t, load64_relaxed, (const uno_atomic64 *a), (a))
CHECKER_C(uint64_t, load64_acquire, (const uno_atomic64 *a), (a))
CHECKER_C(void, store64_relaxed, (uno_atomic64 * a, uint64_t v), (a, v))
CHECKER_C(void, store64_release, (uno_atomic64 * a, uint64_t v), (a, v))
CHECKER_C(uint32_t, load32_relaxed, (const uno_atomic32 *a), (a))
CHECKER_C(uint32_t, load32_acquire, (const uno_atomic32 *a), (a))
CHECKER_C(void, store32_relaxed, (uno_atomic32 * a, uint32_t v), (a, v))
CHECKER_C(void, store32_release, (uno_atomic32 * a, uint32_t v), (a, v))
CHECKER_C(void, write64_plain, (uno_plain64 * p, uint64_t v), (p, v))
CHECKER_C(uint64_t, read64_plain, (const uno_plain64 *p), (p))
CHECKER_C(void, write_plain, (uno_plain64 * p, const void *data, size_t bytes), (p, data, bytes))
CHECKER_C(void, read_plain, (void *data, const uno_plain64 *p, size_t bytes), (data, p, bytes))
CHECKER_C(bool, cas64_relaxed, (uno_atomic64 * a, uint64_t from, uint64_t to), (a, from, to))
CHECKER_C(bool, cas64_acquire, (uno_atomic64 * a, uint64_t from, uint64_t to), (a, from, to))
CHECKER_C(bool, cas64_release, (uno_atomic64 * a, uint64_t from, uint64_t to), (a, from, to))
CHECKER_C(bool, cas64_acq_rel, (uno_atomic64 * a, uint64_t from, uint64_t to), (a, from, to))
CHECKER_C(bool, cas32_acq_rel, (uno_atomic32 * a, uint32_t from, uint32_t to), (a, from, to))
CHECKER_C(uint64_t, add64_relaxed, (uno_atomic64 * a, uint64_t v), (a, v))
CHECKER_C(uint32_t, or32_seq_cst, (uno_atomic32 * a, uint32_t v), (a, v))
CHECKER_C(uint32_t, and32_seq_cst, (uno_atomic32 * a, uint32_t v), (a, v))
CHECKER_C(uint32_t, add32_seq_cst, (uno_atomic32 * a, uint32_t v), (a, v))
CHECKER_C(uint64_t, or64_seq_cst, (uno_atomic64 * a, uint64_t v), (a, v))
CHECKER_C(uint64_t, swap64_seq_cst, (uno_atomic64 * a, uint64_t v), (a, v))
CHECKER_C(void, fence_light, (void), ())

#endif
