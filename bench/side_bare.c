/* No library: the floor. With 2 PEs the bare exchange: each PE writes a cache line and reads the other's.
 * With more, the same for every pair, the pair mailboxes that docs/design.md describes: the engine's boards
 * are there because they are faster. Every operation is this exchange and its local part.
 *
 * For every ordered pair two lines, used in turn. PE i cannot write a line again before PE j has written its
 * answer to the exchange between, which is after j has read the line. */

#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "local.h"
#include "start.h"
#include "worker.h"

/* Then yield: whom this PE waits for may have been put on the same processor. */
enum { SPIN_POLLS = 5000 };

struct line {
    _Alignas(64) _Atomic uint64_t header; /* the number of the pair's exchange, from 1 */
    uint64_t data;
};

struct mailbox {
    struct line line[2];
};

/* Written before the PEs start. */
static struct mailbox *mailboxes; /* [from * n + to] */
static _Atomic uint32_t *hand_overs;
static bool spin; /* as many processors as PEs */

static _Thread_local uint64_t exchanges[BENCH_MAX_PES]; /* this PE's with every other */

static inline void put(int me, int to, int n, uint64_t data) {
    uint64_t number = ++exchanges[to];
    struct line *line = &mailboxes[me * n + to].line[number & 1];
    line->data = data;
    /* SYNC LINE: the data of this exchange */
    atomic_store_explicit(&line->header, number, memory_order_release);
}

static inline uint64_t get(int me, int from, int n) {
    uint64_t number = exchanges[from];
    struct line *line = &mailboxes[from * n + me].line[number & 1];
    /* SYNC LINE: the data of this exchange */
    for (int polls = 0; atomic_load_explicit(&line->header, memory_order_acquire) != number; polls++) {
        if (!spin || polls > SPIN_POLLS)
            sched_yield();
#if defined(__x86_64__)
        else
            __builtin_ia32_pause();
#endif
    }
    return line->data;
}

/* The data of everyone, of the given size, into v. */
static inline void exchange(int me, int n, const void *mine, void *v, size_t size) {
    uint64_t word = 0;
    memcpy(&word, mine, size);
    memcpy((char *)v + (size_t)me * size, mine, size);
    if (n == 2) { /* no loop */
        put(me, !me, 2, word);
        word = get(me, !me, 2);
        memcpy((char *)v + (size_t)!me * size, &word, size);
        return;
    }
    for (int k = 0; k < n; k++)
        if (k != me)
            put(me, k, n, word);
    for (int k = 0; k < n; k++)
        if (k != me) {
            word = get(me, k, n);
            memcpy((char *)v + (size_t)k * size, &word, size);
        }
}

#define EXCHANGE_THEN(name, T, R, local)                                                                     \
    static void name(const struct bench_work *w) {                                                           \
        const T *in = w->in;                                                                                 \
        R *out = w->out;                                                                                     \
        T v[BENCH_MAX_PES];                                                                                  \
        for (int i = 0; i < w->count; i++) {                                                                 \
            exchange(w->me, w->n, &in[i], v, sizeof *v);                                                     \
            out[i] = local;                                                                                  \
        }                                                                                                    \
    }
EXCHANGE_THEN(run_waitvec, int, uint64_t, local_waitvec(v, w->n))
EXCHANGE_THEN(run_any, int, int, local_waitvec(v, w->n) != 0)
EXCHANGE_THEN(run_all, int, int, __builtin_popcountll(local_waitvec(v, w->n)) == w->n)
EXCHANGE_THEN(run_vote, int, uint64_t, local_vote(v, w->me, w->n))
EXCHANGE_THEN(run_voteCount, int, int, __builtin_popcountll(local_vote(v, w->me, w->n)))

/* The last PE tells the others by a bare futex: the least that a wake-up can take. */
static void hand_over(const struct bench_work *w) {
    if (w->me == w->n - 1) {
        atomic_fetch_add(hand_overs, 1);
        syscall(SYS_futex, hand_overs, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        return;
    }
    static _Thread_local uint32_t seen;
    while (atomic_load(hand_overs) == seen)
        syscall(SYS_futex, hand_overs, FUTEX_WAIT, seen, NULL, NULL, 0);
    seen++;
}

static void run_wait(const struct bench_work *w) {
    char none, v[BENCH_MAX_PES];
    if (w->late) {
        hand_over(w);
        return;
    }
    for (int i = 0; i < w->count; i++)
        exchange(w->me, w->n, &none, v, 0);
}

/* The answer: one exchange between the two. */
static inline void answer(const struct bench_work *w) {
    if (w->answer > 0 && (w->me == 0 || w->me == w->answer)) {
        int other = w->me ? 0 : w->answer;
        put(w->me, other, w->n, 0);
        get(w->me, other, w->n);
    }
}

#define TYPED(name, s, T, R) EXCHANGE_THEN(run_##name##s, T, R, local_##name##s(v, w->me, w->n, w->who[i]))
#define ANY_TYPE(s, T)                                                                                       \
    LOCAL_ALL(TYPED, s, T)                                                                                   \
    BENCH_LOOP(run_gather##s, T, T, exchange(w->me, w->n, &in[i], out + i * w->n, sizeof *in))               \
    static void run_bcast##s(const struct bench_work *w) {                                                   \
        const T *in = w->in;                                                                                 \
        T *out = w->out;                                                                                     \
        T v[BENCH_MAX_PES];                                                                                  \
        for (int i = 0; i < w->count; i++) {                                                                 \
            exchange(w->me, w->n, &in[i], v, sizeof *v);                                                     \
            out[i] = v[0];                                                                                   \
            answer(w);                                                                                       \
        }                                                                                                    \
    }
#define INTEGER_TYPE(s, T) LOCAL_INTEGER(TYPED, s, T)
BENCH_TYPES(ANY_TYPE)
BENCH_INTEGERS(INTEGER_TYPE)

static bench_run *const table[BENCH_OPS][BENCH_TYPE_COUNT] = {BENCH_ROW(wait, ),
                                                              BENCH_ROW(waitvec, ),
                                                              BENCH_ROW(any, ),
                                                              BENCH_ROW(all, ),
                                                              BENCH_ROW(vote, ),
                                                              BENCH_ROW(voteCount, ),
#define ROW(name, s, T, R) BENCH_ROW(name, s),
#define ANY_ROWS(s, T) LOCAL_ALL(ROW, s, T) BENCH_ROW(gather, s), BENCH_ROW(bcast, s),
#define INTEGER_ROWS(s, T) LOCAL_INTEGER(ROW, s, T)
                                                              BENCH_TYPES(ANY_ROWS)
                                                                  BENCH_INTEGERS(INTEGER_ROWS)};

static int start(int n, bool threads, int processors, int (*body)(int me, int n)) {
    mailboxes = mmap(NULL, (size_t)(n * n + 1) * sizeof *mailboxes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mailboxes == MAP_FAILED) {
        perror("bench worker: memory");
        return 1;
    }
    hand_overs = (_Atomic uint32_t *)(mailboxes + n * n);
    spin = n <= processors;
    return bench_start(n, threads, body);
}

static void label(char text[BENCH_LABEL]) {
    snprintf(text, BENCH_LABEL, "bare exchange");
}

const struct bench_side bench_side = {.start = start, .label = label, .run = table};
