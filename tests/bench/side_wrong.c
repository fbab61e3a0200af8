/* The Unisono side with planted faults: the bench must find each. WRONG, in the environment of this worker,
 * names the one to plant. */

#include <papers.h>
#include <stdlib.h>
#include <string.h>

#include "worker.h"

static int is_planted(const char *fault) {
    const char *planted = getenv("WRONG");
    return planted && strcmp(planted, fault) == 0;
}

/* One result in 1,000 is off by one, at PE 1. */
static int64_t wrong_reduceAdd64(int64_t d) {
    static _Thread_local long calls;
    int64_t sum = p_reduceAdd64(d);
    return sum + (p_iproc() == 1 && ++calls % 1000 == 0 && is_planted("rare"));
}

/* A barrier at which nobody waits: always, or only if one comes late. */
static void wrong_wait(const struct bench_work *w) {
    if (!is_planted("barrier") && !(w->late && is_planted("late")))
        p_wait();
}

/* What the gather before gave. */
static void wrong_gatherd(double *p, double d) {
    static _Thread_local double last[64];
    double now[64];
    p_gatherd(now, d);
    memcpy(p, is_planted("stale") ? last : now, (size_t)p_nproc() * sizeof *p);
    memcpy(last, now, sizeof last);
}

/* A PE that ends in the middle. */
static int wrong_any(int f) {
    if (p_iproc() == 1 && is_planted("death"))
        abort();
    return p_any(f);
}

/* The broadcast does not reach the last PE. */
static int32_t wrong_bcastGet32(void) {
    int32_t d = p_bcastGet32();
    return p_iproc() == p_nproc() - 1 && is_planted("lost") ? 0 : d;
}

#define p_reduceAdd64 wrong_reduceAdd64
#define p_wait() wrong_wait(w)
#define p_gatherd wrong_gatherd
#undef p_any
#define p_any wrong_any
#define p_bcastGet32 wrong_bcastGet32
#include "../../bench/side_unisono.c"
