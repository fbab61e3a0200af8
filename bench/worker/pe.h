/* One PE of a worker, and its present turn. */

#ifndef BENCH_WORKER_PE_H
#define BENCH_WORKER_PE_H

#include <stddef.h>

#include "mix.h"
#include "programs/programs.h"
#include "protocol.h"

struct part;

/* The data of one PE. Inputs and results of a turn are in place before the timed loop, and stay until after
 * it. */
struct bench_pe {
    int socket, me, n;
    struct bench_turn turn;
    void *in, *out;           /* inputs and results of this turn */
    size_t in_step, out_step; /* bytes from one input or result to the next */
    const struct part *part;
    struct field field;
    struct product product;
    const uint64_t *index; /* the permutation: the destination of each element of `in`, in the whole array */
    uint64_t values[BENCH_WARM_UP + BENCH_MAX_OPS];
    uint64_t results[BENCH_WARM_UP * BENCH_MAX_PES + BENCH_MAX_VALUES];
    int who[BENCH_WARM_UP + BENCH_MAX_OPS];
    double ns[BENCH_MAX_OPS];
    void *pool[2]; /* messages sent and received; NULL: not needed yet */
    struct {
        void *memory; /* NULL: not needed yet */
        size_t bytes;
    } block_pool[2][2]; /* in this PE's own memory, or in memory that all reach; blocks sent and received */
    struct {
        uint64_t *in, *out, *index;
        size_t bytes; /* bytes of each; 0: not needed yet */
    } permuted;
};

#endif
