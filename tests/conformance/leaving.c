/* Parallel interrupts while PEs leave, some of them right after they have raised one, until one PE is alone:
 * all have handled the same interrupts in the same order, as far as each was there, and none is lost.
 * `--operations K` are the steps of the PE that stays. */

#include <stdio.h>
#include <string.h>
#include <vertex.h>

#include "harness.h"

enum {
    SHARE = 3,      /* of the steps, one in so many raises at each PE */
    MOST = 1 << 14, /* interrupts */
    PATIENCE = 20,  /* s, for what has been raised to come */
};

/* The interrupts that a PE has handled, and how many it has raised: what it tells when it leaves. */
struct history {
    int64_t raised, handled;
    uint64_t hash; /* of their causes, in order */
};

static _Thread_local struct {
    struct history own;
    uint64_t hash[MOST + 1];      /* after each interrupt */
    int64_t causes[TEST_MAX_PES]; /* of those that PE k has raised */
} here;

static void handler(const uint64_t *cause) {
    struct history *own = &here.own;
    bool any = false;
    for (int k = 0; k < p_nproc(); k++) {
        uint64_t named = cause[k / 64] >> k % 64 & 1;
        here.causes[k] += (int64_t)named;
        any |= named;
        own->hash = rng_for(own->hash, named, (uint64_t)k, 13).state;
    }
    CHECK(any && own->handled < MOST);
    here.hash[++own->handled] = own->hash;
}

static void raise_one(void) {
    here.own.raised++; /* before the handler may count it */
    p_interrupt();
}

/* Meet those of this PE's group of this step that have not left. leaves: the step before which each PE does.
 */
static void meet(uint64_t seed, int step, const int *leaves) {
    struct rng common = rng_for(seed, (uint64_t)step, 0, 14);
    int groups = 1 + rng_below(&common, 3), group[64];
    uint64_t mask = 0;
    for (int k = 0; k < p_nproc(); k++)
        group[k] = rng_below(&common, groups);
    for (int k = 0; k < p_nproc(); k++)
        if (group[k] == group[p_iproc()] && leaves[k] > step)
            mask |= (uint64_t)1 << k;
    p_enqueue(mask);
    CHECK_INT(__builtin_popcountll(mask), p_reduceAdd32(1));
    for (int k = 0; k < p_nproc(); k++) /* what this PE has raised has been handled */
        CHECK(k != p_iproc() || here.causes[k] == here.own.raised);
}

/* When a PE that leaves raises an interrupt more, of which it may hear nothing. */
enum when { NEVER, BEFORE, AFTER /* it has told the PE that stays */, LATE /* and all others have, too */ };

static void leave(int stays, enum when when) {
    int word, type = NANY;
    if (when == BEFORE)
        raise_one();
    struct history last = here.own;
    last.raised += when >= AFTER;
    nwrite(&last, sizeof last, stays, 0);
    if (when == LATE)
        CHECK_INT(sizeof word, nread(&word, sizeof word, &stays, &type));
    if (when >= AFTER)
        p_interrupt();
}

/* All others have left, or are about to: compare what each has told. */
static void compare(int late) {
    int word = 0;
    int64_t raised[64] = {0};
    double end = test_now() + PATIENCE * TEST_SLOW;
    raised[p_iproc()] = here.own.raised;
    for (int i = 1; i < p_nproc(); i++) {
        struct history theirs;
        int k = NANY, type = NANY;
        CHECK_INT(sizeof theirs, nread(&theirs, sizeof theirs, &k, &type));
        raised[k] = theirs.raised;
        p_enqueue(OUR_MASK);
        while (here.own.handled < theirs.handled) /* before that PE had left, so this one was still in it */
            p_wait();
        CHECK(here.hash[theirs.handled] == theirs.hash);
    }
    nwrite(&word, sizeof word, late, 0);
    for (int k = 0; k < p_nproc(); k++) {
        while (here.causes[k] < raised[k] && test_now() < end)
            p_wait();
        CHECK_INT(raised[k], here.causes[k]);
    }
    p_wait();
    for (int k = 0; k < p_nproc(); k++)
        CHECK_INT(raised[k], here.causes[k]);
}

static int body(void *unused) {
    (void)unused;
    uint64_t seed = test_seed();
    int n = p_nproc(), me = p_iproc(), leaves[64], steps = (int)test.operations;
    struct rng common = rng_for(seed, 0, 0, 15), own = rng_for(seed, 0, (uint64_t)me, 16);
    memset(&here, 0, sizeof here);
    p_onInterrupt(handler);
    p_wait(); /* everyone has a handler before the first interrupt */
    for (int k = 0; k < n; k++)
        leaves[k] = 1 + rng_below(&common, steps);
    int stays = rng_below(&common, n);
    int late = (stays + 1) % n; /* of its last interrupt the one that stays hears while it waits for nobody */
    leaves[stays] = leaves[late] = steps;
    for (int step = 0; step < leaves[me]; step++) {
        for (volatile int i = rng_below(&own, 2000); i > 0; i--)
            ;
        if (rng_below(&own, SHARE) == 0)
            raise_one();
        meet(seed, step, leaves);
    }
    if (me != stays) {
        leave(stays, me == late ? LATE : (enum when)rng_below(&own, 3));
        return TEST_PASSED;
    }
    compare(late);
    printf("leaving: PE %d of %d has stayed, and handled %lld interrupts\n", me, n,
           (long long)here.own.handled);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
