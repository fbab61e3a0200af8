/* Parallel interrupts at random moments by random PEs: each is handled once by every PE, none is lost, and
 * none later than in the first operation that a PE begins after it was raised. `--operations K` are
 * interrupts. */

#include <stdio.h>
#include <string.h>

#include "harness.h"

enum { SHARE = 3 /* of the steps, one in so many raises at each PE */ };

static _Thread_local struct {
    uint64_t handled[TEST_MAX_PES]; /* by this PE, of those that PE k has raised */
    uint64_t all;                   /* interrupts */
} here;

static void handler(const uint64_t *cause) {
    bool any = false;
    for (int k = 0; k < p_nproc(); k++) {
        here.handled[k] += cause[k / 64] >> k % 64 & 1;
        any |= cause[k / 64] >> k % 64 & 1;
    }
    here.all++;
    CHECK(any);
}

/* Enter a group that contains this PE, the same at all of its members; all PEs now and then. */
static void enter(struct rng *r) {
    int step = rng_below(r, 5);
    uint64_t mask = ALL_MASK;
    if (p_nproc() > 64)
        return;
    if (step > 1) {
        mask = 0;
        for (int k = p_iproc() % step; k < p_nproc(); k += step)
            mask |= (uint64_t)1 << k;
    }
    p_enqueue(mask);
}

static void meet(struct rng *r) {
    switch (rng_below(r, 3)) {
    case 0:
        p_wait();
        break;
    case 1:
        CHECK_INT(p_population(), p_reduceAdd32(1));
        break;
    default:
        CHECK_INT(1, p_any(p_iproc() == p_selectFirst()));
    }
}

/* Every PE tells how many it has raised. They must have been handled by the end of the next operation. */
static void compare(uint64_t raised) {
    uint64_t all[TEST_MAX_PES];
    if (p_nproc() <= 64)
        p_enqueue(ALL_MASK);
    p_gather64u(all, raised);
    p_wait();
    for (int k = 0; k < p_nproc(); k++)
        CHECK(here.handled[k] >= all[k]);
}

static int body(void *unused) {
    (void)unused;
    uint64_t seed = test_seed(), raised = 0;
    int n = p_nproc();
    memset(&here, 0, sizeof here);
    p_onInterrupt(handler);
    p_wait();
    for (uint64_t step = 0; step < (uint64_t)(test.operations * SHARE / n); step++) {
        struct rng common = rng_for(seed, step, 0, 11), own = rng_for(seed, step, (uint64_t)p_iproc(), 12);
        for (volatile int i = rng_below(&own, 2000); i > 0; i--)
            ;
        if (rng_below(&own, SHARE) == 0) {
            p_interrupt();
            raised++;
        }
        enter(&common);
        meet(&common);
        CHECK_INT(raised, here.handled[p_iproc()]);
        if (step % 16 == 0)
            compare(raised);
    }
    compare(raised);
    compare(raised);
    uint64_t all[TEST_MAX_PES], sum = 0;
    p_gather64u(all, raised);
    for (int k = 0; k < n; sum += all[k++])
        CHECK_INT(all[k], here.handled[k]);
    CHECK_INT((long long)here.all, (long long)p_reduceMin64u(here.all));
    CHECK_INT((long long)here.all, (long long)p_reduceMax64u(here.all));
    if (p_iproc() == 0)
        printf("interrupt: %d PEs raised %llu, in %llu interrupts, each handled once by all\n", n,
               (unsigned long long)sum, (unsigned long long)here.all);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
