/* Random numbers that can be replayed. */

#ifndef TEST_RNG_H
#define TEST_RNG_H

#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). */
struct rng {
    uint64_t state;
};
static inline uint64_t rng_next(struct rng *r) {
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
/* Return a number from 0 to n - 1. */
static inline int rng_below(struct rng *r, int n) {
    return (int)((rng_next(r) >> 32) * (uint64_t)n >> 32);
}
/* Return the generator for one purpose: the same for the same four numbers, everywhere. */
static inline struct rng rng_for(uint64_t seed, uint64_t a, uint64_t b, uint64_t c) {
    struct rng r = {seed};
    r.state = rng_next(&r) ^ a;
    r.state = rng_next(&r) ^ b;
    r.state = rng_next(&r) ^ c;
    return r;
}

#endif
