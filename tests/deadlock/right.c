/* right SEED ROUNDS: random programs that never hang, in which most PEs sleep most of the time, so that
 * often all but one do, and each is woken in another way: by posts, by short and long messages, by room for
 * its own messages. All PEs draw the same numbers. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <vertex.h>

#include "rng.h"

enum { LARGE = 1 << 20, MUCH = 300 };

static char out[LARGE], in[LARGE];
static int me, n;

/* Long enough that those who wait for this PE sleep. */
static void nap(struct rng *chance) {
    int length = rng_below(chance, 4);
    if (length)
        usleep((useconds_t)length * 700);
}

static void expect(int good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "right: PE %d: wrong %s\n", me, what);
    _exit(1);
}

/* A message goes from PE to PE, to one that asks for it or for any. */
static void token(struct rng *all, struct rng *own) {
    int type = MUCH + rng_below(all, 1000), at = rng_below(all, n), hops = 1 + rng_below(all, 2 * n);
    size_t bytes = rng_below(all, 4) ? (size_t)rng_below(all, 300) : (size_t)rng_below(all, LARGE);
    for (int hop = 0; hop < hops; hop++) {
        int to = rng_below(all, n), any = rng_below(all, 2), nosy = rng_below(all, 4) == 0;
        if (me == at) {
            nap(own);
            nwrite(out, bytes, to, type);
        }
        if (me == to) {
            int node = any ? NANY : at, of = any ? NANY : type;
            if (nosy)
                nprobe(&(int){node}, &(int){of});
            expect(nread(in, sizeof in, &node, &of) == (ssize_t)bytes && node == at && of == type, "message");
        }
        at = to;
    }
    p_wait(); /* so that a receive from any PE gets no message of a later round */
}

/* Groups meet that share members, in an order that is the same for all. */
static void groups(struct rng *all, struct rng *own) {
    for (int i = 1 + rng_below(all, n); i; i--) {
        uint64_t mask = rng_next(all) & (((uint64_t)1 << n) - 1);
        if (!(mask >> me & 1))
            continue;
        nap(own);
        p_enqueue(mask);
        expect(p_reduceAdd32(1) == __builtin_popcountll(mask), "sum");
    }
    p_enqueue(ALL_MASK);
}

/* Write from one PE more than rings hold, to others that sleep in an operation, and read it later. */
static void flood(struct rng *all, struct rng *own) {
    int writer = rng_below(all, n), bytes = 1 + rng_below(all, 2000);
    if (me == writer) {
        nap(own);
        for (int k = 0; k < n; k++)
            for (int i = 0; k != me && i < MUCH; i++)
                nwrite(out, (size_t)bytes, k, i);
    }
    p_wait();
    for (int i = MUCH - 1; me != writer && i >= 0; i--) {
        int node = writer, type = i;
        expect(nread(in, sizeof in, &node, &type) == bytes, "length");
    }
}

/* Write from one PE more than a ring holds to another one, which answers when it has read everything. */
static void question(struct rng *all, struct rng *own) {
    int asks = rng_below(all, n), answers = (asks + 1 + rng_below(all, n - 1)) % n, node, type;
    nap(own);
    for (int i = 0; me == asks && i < MUCH; i++)
        nwrite(out, 1000, answers, i);
    for (int i = 0; me == answers && i < MUCH; i++) {
        node = asks, type = i;
        expect(nread(in, sizeof in, &node, &type) == 1000, "question");
    }
    if (me == answers)
        nwrite(out, 8, asks, MUCH);
    node = answers, type = MUCH;
    if (me == asks)
        expect(nread(in, sizeof in, &node, &type) == 8, "answer");
}

/* Raise an interrupt while other PEs sleep in something. */
static void interrupt(struct rng *all, struct rng *own) {
    if (me == rng_below(all, n)) {
        nap(own);
        p_interrupt();
    }
    p_wait();
    p_wait();
}

static void hear(const uint64_t *cause) {
    (void)cause;
    usleep(500);
}

int main(int argc, char **argv) {
    static void (*const kinds[6])(struct rng *, struct rng *) = {token,    question, groups,
                                                                 question, flood,    interrupt};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int rounds = argc > 2 ? atoi(argv[2]) : 100;
    p_init();
    p_onInterrupt(hear);
    me = p_iproc();
    n = p_nproc();
    for (int round = 0; round < rounds; round++) {
        struct rng all = rng_for(seed, (uint64_t)round, 1, 0),
                   own = rng_for(seed, (uint64_t)round, 2, (uint64_t)me);
        kinds[rng_below(&all, 6)](&all, &own);
    }
    return p_exit(0);
}
