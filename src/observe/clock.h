/* The time of recorded calls. Reading the counter of the processor takes a third of the time of
 * clock_gettime. It is used where Linux keeps its own time by it, and has so found out that all processors
 * count alike; otherwise a tick is a nanosecond of CLOCK_MONOTONIC. */

#ifndef UNO_SEEN_CLOCK_H
#define UNO_SEEN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/kernel.h"

static inline uint64_t uno_seen_counter(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return uno_kernel_now();
#endif
}

static inline uint64_t uno_seen_ticks(bool counter) {
    return counter ? uno_seen_counter() : uno_kernel_now();
}

/* Return true if the kernel's time is that of the processor's counter. */
bool uno_seen_counts(void);

#endif
