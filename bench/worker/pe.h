/* One PE of a worker, and the turn that it has. */

#ifndef BENCH_WORKER_PE_H
#define BENCH_WORKER_PE_H

#include <stddef.h>

#include "programs/programs.h"
#include "protocol.h"

struct part;

/* What one PE works with. Inputs and results of a turn lie ready before and stay until after the timed loop.
 */
struct bench_pe {
    int socket, me, n;
    struct bench_turn turn;
    void *in, *out;           /* of this turn */
    size_t in_step, out_step; /* bytes from one to the next */
    const struct part *part;
    struct field field;
    struct product product;
    const uint64_t *index; /* of a permutation: where each element of `in` goes, in the whole array */
    uint64_t values[BENCH_WARM_UP + BENCH_MAX_OPS];
    uint64_t results[BENCH_WARM_UP * BENCH_MAX_PES + BENCH_MAX_VALUES];
    int who[BENCH_WARM_UP + BENCH_MAX_OPS];
    double ns[BENCH_MAX_OPS];
    void *pool[2]; /* messages to send and received; NULL: not needed yet */
    struct {
        void *memory; /* NULL: not needed yet */
        size_t bytes;
    } block_pool[2][2]; /* in memory of this PE, or that all reach; blocks to send and received */
    struct {
        uint64_t *in, *out, *index;
        size_t bytes; /* of each; 0: not needed yet */
    } permuted;
};

/* The finalizer of splitmix64. */
static inline uint64_t bench_mix(uint64_t h) {
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

#endif
