#include "late.h"

#include <stdint.h>
#include <stdlib.h>

#include "driver/failure.h"
#include "driver/figures.h"
#include "driver/measure.h"
#include "engine/kernel.h"

enum { MAX_LATE = 200, CLOCK_SLACK_NS = 1000 };

struct late late_measure(const struct bench *b, struct side *side, double seconds, int count) {
    static double times[BENCH_MAX_PES][MAX_LATE], wake[MAX_LATE];
    struct late late = {0};
    int last = side->n - 1;
    count = count > MAX_LATE ? MAX_LATE : count;
    struct bench_turn turn = {
        .op = BENCH_OP_wait, .batches = count, .repeat = 1, .late = (int64_t)(seconds * 1e9)};
    turn.epoch = (int64_t)uno_kernel_now();
    bench_send(b, side, 0, &turn);
    for (int k = 0; k < side->n; k++) {
        struct bench_reply reply;
        bench_receive(b, side, k, 0, &reply, sizeof reply);
        bench_receive(b, side, k, 0, times[k], (size_t)count * sizeof *times[k]);
        double share = (double)reply.processor / (seconds * 1e9 * count);
        if (k != last && share > late.share)
            late.share = share;
    }
    for (int i = 0; i < count; i++) {
        wake[i] = 0;
        for (int k = 0; k < last; k++) {
            double taken = times[k][i] - times[last][i];
            if (taken < -CLOCK_SLACK_NS)
                bench_fail(
                    "wrong result from %s: p_wait of %d PEs: PE %d left it %.0f ns before PE %d entered it",
                    side->label, side->n, k, -taken, last);
            wake[i] = taken > wake[i] ? taken : wake[i];
        }
    }
    late.wake = bench_quantile(wake, (size_t)count, 0.5);
    late.measured = true;
    return late;
}
