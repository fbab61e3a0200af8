/* The side without a library: the lower bound. With 2 PEs it is the bare exchange: each PE writes a cache
 * line and reads the other's. With more PEs every pair does the same, in the pair mailboxes that
 * docs/design.md describes: the engine's boards are there because they are faster. Every operation is this
 * exchange and its local part.
 *
 * Every ordered pair has two lines, used in turn. PE i cannot write a line again before PE j has written its
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

#include "programs/programs.h"
#include "local_part.h"
#include "alone.h"
#include "start.h"
#include "side.h"

/* Polls before the first yield: the awaited PE may have been put on the same processor. */
enum { SPIN_POLLS = 5000 };

struct line {
    _Alignas(64) _Atomic uint64_t header; /* the number of the pair's exchange, from 1 */
    uint64_t data;
};

struct mailbox {
    struct line line[2];
};

/* The mailboxes, written before the PEs start. */
static struct mailbox *mailboxes; /* [from * n + to] */
static _Atomic uint32_t *hand_overs;
static bool spin; /* as many processors as PEs */

static _Thread_local uint64_t exchanges[BENCH_MAX_PES]; /* this PE's exchanges with every other PE */

/* Wait until the header has this number; the data before it are then visible. */
static inline void await(_Atomic uint64_t *header, uint64_t number) {
    for (int polls = 0; atomic_load_explicit(header, memory_order_acquire) != number; polls++) {
        if (!spin || polls > SPIN_POLLS)
            sched_yield();
#if defined(__x86_64__)
        else
            __builtin_ia32_pause();
#endif
    }
}

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
    await(&line->header, number);
    return line->data;
}

/* Exchange: copy every PE's data, of the given size, into v. */
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

/* Wake the other PEs by a bare futex from the last PE: the shortest possible wake-up. */
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

/* Answer: one exchange between the two PEs. */
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

/* ---- messages ------------------------------------------------------------------------------------------ */

enum {
    POSTS = 64,
    INLINE = 48
}; /* more than the messages of a batch; bytes that fit beside header and address */

/* A message on its way from a PE to the next: short, within one line; otherwise the line says where it lies,
 * and the receiver copies it from there, once. */
struct post {
    _Alignas(64) _Atomic uint64_t header; /* the number of the message, from 1 */
    const void *data;
    unsigned char inlined[INLINE];
};

static struct post (*posts)[BENCH_MAX_PES][POSTS]; /* [to the next: 0, back: 1][from] */
static char *pools;                                /* of all PEs, at one address everywhere */
static _Thread_local uint64_t sent[2], received[2];

static void *pool(int me, int which) {
    return pools + (size_t)(2 * me + which) * BENCH_POOL;
}

static inline void send_one(int me, int way, const void *data, size_t bytes) {
    uint64_t number = ++sent[way];
    struct post *post = &posts[way][me][number % POSTS];
    if (bytes <= INLINE)
        memcpy(post->inlined, data, bytes);
    else
        post->data = data;
    /* SYNC POST: the message's data, wherever they lie */
    atomic_store_explicit(&post->header, number, memory_order_release);
}

static inline void receive_one(int from, int way, void *data, size_t bytes) {
    uint64_t number = ++received[way];
    struct post *post = &posts[way][from][number % POSTS];
    /* SYNC POST: the message's data, wherever they lie */
    await(&post->header, number);
    memcpy(data, bytes <= INLINE ? post->inlined : post->data, bytes);
}

static void run_ring(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    int from = (w->me + w->n - 1) % w->n;
    for (int i = 0; i < w->count; i++) {
        void *in = (char *)w->out + (size_t)i * slot;
        if (w->me == 0)
            send_one(0, 0, (const char *)w->in + (size_t)i * slot, w->bytes);
        receive_one(from, 0, in, w->bytes);
        if (w->me)
            send_one(w->me, 0, in, w->bytes);
    }
}

static void run_swap(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    for (int i = 0; i < w->count; i++) {
        send_one(w->me, 0, (const char *)w->in + (size_t)i * slot, w->bytes);
        receive_one(w->me ^ 1, 0, (char *)w->out + (size_t)i * slot, w->bytes);
    }
}

static void run_stream(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    for (int i = 0; i < w->count; i++)
        if (w->me % 2)
            receive_one(w->me - 1, 0, (char *)w->out + (size_t)i * slot, w->bytes);
        else
            send_one(w->me, 0, (const char *)w->in + (size_t)i * slot, w->bytes);
    char none[1];
    if (w->me % 2)
        send_one(w->me, 1, none, 0);
    else
        receive_one(w->me + 1, 1, none, 0);
}

/* Iterate. The rows stay in place until their neighbours have copied them: this PE changes them after its
 * next sweep, for which it needs a message that a neighbour sends after its own. */
static void run_jacobi(const struct bench_work *w) {
    const struct field *f = w->field;
    size_t bytes = (size_t)f->edge * sizeof *f->cells[0];
    bool above = w->me > 0, below = w->me + 1 < w->n;
    for (int i = 0; i < w->count; i++) {
        int which = (w->before + i) & 1;
        if (above)
            send_one(w->me, 1, field_row(f, which, 1), bytes);
        if (below)
            send_one(w->me, 0, field_row(f, which, f->rows), bytes);
        if (below)
            receive_one(w->me + 1, 1, field_row(f, which, f->rows + 1), bytes);
        if (above)
            receive_one(w->me - 1, 0, field_row(f, which, 0), bytes);
        field_sweep(f, which);
    }
}

/* Copy every PE's part, at the same time as the others, and end when all have done so: a PE that shares its
 * processor would otherwise be timed while it has the processor for itself. */
static void run_copyAll(const struct bench_work *w) {
    size_t step = bench_block_step(w->bytes, w->n);
    char none, v[BENCH_MAX_PES];
    for (int i = 0; i < w->count; i++) {
        for (int r = 0; r < w->n; r++)
            memcpy((char *)w->out + (size_t)i * step + (size_t)r * w->bytes,
                   (const char *)w->in + (size_t)i * step + (size_t)r * w->bytes, w->bytes);
        exchange(w->me, w->n, &none, v, 0);
    }
}

static bench_run *const table[BENCH_KINDS][BENCH_TYPE_COUNT] = {
    BENCH_ROW(wait, ),
    BENCH_ROW(waitvec, ),
    BENCH_ROW(any, ),
    BENCH_ROW(all, ),
    BENCH_ROW(vote, ),
    BENCH_ROW(voteCount, ),
#define ROW(name, s, T, R) BENCH_ROW(name, s),
#define ANY_ROWS(s, T) LOCAL_ALL(ROW, s, T) BENCH_ROW(gather, s), BENCH_ROW(bcast, s),
#define INTEGER_ROWS(s, T) LOCAL_INTEGER(ROW, s, T)
    BENCH_ROW(ring, ),
    BENCH_ROW(swap, ),
    BENCH_ROW(stream, ),
    BENCH_ROW(copyAll, ),
    BENCH_ROW(jacobi, ),
    [BENCH_OP_jacobiFirst][BENCH_TYPE_] = alone_jacobi,
    [BENCH_OP_productFirst][BENCH_TYPE_] = alone_product,
    [BENCH_OP_trapezoidFirst][BENCH_TYPE_] = alone_trapezoid,
    [BENCH_OP_piFirst][BENCH_TYPE_] = alone_pi,
    BENCH_TYPES(ANY_ROWS) BENCH_INTEGERS(INTEGER_ROWS)};

static int start(int n, bool threads, int processors, int (*body)(int me, int n)) {
    mailboxes = mmap(NULL, (size_t)(n * n + 1) * sizeof *mailboxes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mailboxes == MAP_FAILED) {
        perror("bench worker: memory");
        return 1;
    }
    posts = mmap(NULL, 2 * sizeof *posts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pools = mmap(NULL, (size_t)n * 2 * BENCH_POOL, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (posts == MAP_FAILED || pools == MAP_FAILED) {
        perror("bench worker: memory for messages");
        return 1;
    }
    hand_overs = (_Atomic uint32_t *)(mailboxes + n * n);
    spin = n <= processors;
    return bench_start(n, threads, body);
}

static void label(char text[BENCH_LABEL]) {
    snprintf(text, BENCH_LABEL, "bare exchange");
}

const struct bench_side bench_side = {.start = start, .label = label, .run = table, .pool = pool};
