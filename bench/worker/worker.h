/* One side of the comparison: what a file of sides/ gives to the engine in worker.c. */

#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol.h"

struct part;

/* A few operations of one kind. The arrays hold values of the operation's types, without gaps; or messages,
 * each in a slot of its own. */
struct bench_work {
    int me, n;
    int count;               /* operations to do, one after the other */
    const void *in;          /* count inputs: int for flags and votes, otherwise the operation's type */
    void *out;               /* count results; an ARRAY result has n entries */
    const int *who;          /* of putget: count PE numbers */
    int answer;              /* of a ROOT operation: the PE that answers PE 0; -1: nobody */
    bool late;               /* the last PE comes much later than the others */
    size_t bytes;            /* of a message; bench_slot(bytes) from one to the next */
    int before, after;       /* operations of this turn before and after these */
    const struct part *part; /* of a picture: this PE's, or the whole */
};

typedef void bench_run(const struct bench_work *work);

struct bench_side {
    /* Have every PE call body(me, n) once; returns the exit status of this process. threads: PEs are threads
     * of this process (only if the side can). processors: how many there are to use. */
    int (*start)(int n, bool threads, int processors, int (*body)(int me, int n));
    /* The library's name and version, within a PE. */
    void (*label)(char text[BENCH_LABEL]);
    /* Called within every PE after body's loop has ended in an orderly way; may be NULL. */
    void (*end)(void);
    bench_run *const (*run)[BENCH_TYPE_COUNT]; /* [operation][type]; NULL: the side does not have it */
    const bool *equivalent; /* [operation]: done with more than one plain call; NULL: none */
    /* Memory for this PE's messages: BENCH_POOL bytes to send (0) or to receive (1) in; NULL: it does not
     * matter which. */
    void *(*pool)(int me, int which);
};

extern const struct bench_side bench_side;

/* ---- the engine: worker.c ---------------------------------------------------------------------- */

struct bench_kind {
    const char *name;
    enum bench_timing timing;
    enum bench_result result;
};
extern const struct bench_kind bench_kinds[BENCH_KINDS];

/* What one PE works with. Inputs and results of a turn lie ready before and stay until after the timed loop.
 */
struct bench_pe {
    int socket, me, n;
    struct bench_turn turn;
    void *in, *out;           /* of this turn */
    size_t in_step, out_step; /* bytes from one to the next */
    const struct part *part;
    uint64_t values[BENCH_WARM_UP + BENCH_MAX_OPS];
    uint64_t results[BENCH_WARM_UP * BENCH_MAX_PES + BENCH_MAX_VALUES];
    int who[BENCH_WARM_UP + BENCH_MAX_OPS];
    double ns[BENCH_MAX_OPS];
    void *pool[2]; /* messages to send and received; NULL: not needed yet */
};

/* Before a turn: make the data of so many operations. After it: check every result. */
void bench_values_prepare(struct bench_pe *pe, int operations);
void bench_values_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);
void bench_messages_prepare(struct bench_pe *pe, int operations);
void bench_messages_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);
void bench_picture_prepare(struct bench_pe *pe, int operations);
void bench_picture_check(const struct bench_pe *pe, int operations, struct bench_reply *reply);

/* A pattern of every side: the picture without an exchange. */
bench_run bench_picture_alone;

/* The finalizer of splitmix64. */
static inline uint64_t bench_mix(uint64_t h) {
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

/* ---- sides ------------------------------------------------------------------------------------------- */

/* for (i ...) call; with the arrays by their types. */
#define BENCH_LOOP(name, type, result, call)                                                                 \
    static void name(const struct bench_work *w) {                                                           \
        const type *in = w->in;                                                                              \
        result *out = w->out;                                                                                \
        (void)in, (void)out;                                                                                 \
        for (int i = 0; i < w->count; i++)                                                                   \
            call;                                                                                            \
    }

/* A row of the table `run`. */
#define BENCH_ROW(op, suffix) [BENCH_OP_##op][BENCH_TYPE_##suffix] = run_##op##suffix

#endif
