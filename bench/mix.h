/* Numbers that look random, each from its own place in the data. */

#ifndef BENCH_MIX_H
#define BENCH_MIX_H

#include <stdint.h>

/* The finalizer of splitmix64. */
static inline uint64_t bench_mix(uint64_t h) {
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

#endif
