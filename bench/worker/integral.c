/* Integrals of which it is known how far the sum is from them. Of an operation of its own each has the end,
 * or the number of intervals. */

#include "integral.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "kinds.h"

enum { NUMBERS = 7 }; /* of intervals, one more each */

static bool is_pi(int op) {
    return op == BENCH_OP_pi || op == BENCH_OP_piFirst;
}

/* Return the end of the parabola, from 1 to 2; or the number of intervals of pi. */
static double input(const struct bench_turn *turn, int i) {
    uint64_t random = bench_mix(turn->seed + (uint64_t)i);
    return is_pi(turn->op) ? (double)(turn->bytes + random % NUMBERS) : 1 + (double)(random >> 11) * 0x1p-53;
}

static double expected(const struct bench_turn *turn, double in, double *tolerance) {
    return is_pi(turn->op) ? integral_pi_sum((long)in, tolerance)
                           : integral_trapezoids_sum(in, (long)turn->bytes, tolerance);
}

void bench_integral_prepare(struct bench_pe *pe, int operations) {
    double *in = (double *)pe->values, *out = (double *)pe->results;
    pe->in = in;
    pe->out = out;
    pe->in_step = pe->out_step = sizeof *in;
    for (int i = 0; i < operations; i++) {
        in[i] = pe->me ? NAN : input(&pe->turn, i);
        out[i] = NAN;
    }
}

void bench_integral_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    const double *in = pe->in, *out = pe->out;
    for (int i = 0; pe->me == 0 && i < operations; i++) {
        double tolerance, result = expected(&pe->turn, in[i], &tolerance);
        if (!(fabs(out[i] - result) <= tolerance) && !reply->wrong++)
            snprintf(reply->text, sizeof reply->text,
                     "%s of %d PEs, operation %d of %llu intervals: PE 0 has %.15g, not %.15g",
                     bench_kinds[pe->turn.op].name, pe->n, i, (unsigned long long)pe->turn.bytes, out[i],
                     result);
    }
}
