/* The PAPERS library itself. */

#include <exchange.h>
#include <stdio.h>
#include <vertex.h>

#include "detector/part.h"
#include "job.h"
#include "messages.h"
#include "side.h"

BENCH_LOOP(run_wait, int, int, p_wait())
BENCH_LOOP(run_waitvec, int, uint64_t, out[i] = p_waitvec(in[i]))
BENCH_LOOP(run_any, int, int, out[i] = p_any(in[i]))
BENCH_LOOP(run_all, int, int, out[i] = p_all(in[i]))
BENCH_LOOP(run_population, int, int, out[i] = p_population())
BENCH_LOOP(run_enumerate, int, int, out[i] = p_enumerate())
BENCH_LOOP(run_selectFirst, int, int, out[i] = p_selectFirst())
BENCH_LOOP(run_selectOne, int, int, out[i] = p_selectOne())
BENCH_LOOP(run_vote, int, uint64_t, out[i] = p_vote(in[i]))
BENCH_LOOP(run_voteCount, int, int, out[i] = p_voteCount(in[i]))

/* A picture without an exchange. */
static void run_alone(const struct bench_work *w) {
    for (int i = 0; i < w->count; i++) {
        part_pack(w->part);
        part_inner(w->part);
        part_outer(w->part, 0);
    }
}

/* A new group each time: this PE alone, then all again. */
static void run_enqueue(const struct bench_work *w) {
    uint64_t mask[2] = {ALL_MASK, OUR_MASK};
    for (int i = w->count; i-- > 0;)
        p_enqueue(mask[i & 1]);
}

/* The answer: PE 0 and the PE that answers meet in a group of two. */
static inline void answer(const struct bench_work *w, uint64_t all, uint64_t pair) {
    if (w->answer > 0 && (w->me == 0 || w->me == w->answer)) {
        p_enqueue(pair);
        p_wait();
        p_enqueue(all);
    }
}

#define ANY_TYPE(s, T)                                                                                       \
    BENCH_LOOP(run_putget##s, T, T, out[i] = p_putget##s(in[i], w->who[i]))                                  \
    BENCH_LOOP(run_gather##s, T, T, p_gather##s(out + i * w->n, in[i]))                                      \
    BENCH_LOOP(run_reduceAdd##s, T, T, out[i] = p_reduceAdd##s(in[i]))                                       \
    BENCH_LOOP(run_reduceMul##s, T, T, out[i] = p_reduceMul##s(in[i]))                                       \
    BENCH_LOOP(run_reduceMin##s, T, T, out[i] = p_reduceMin##s(in[i]))                                       \
    BENCH_LOOP(run_reduceMax##s, T, T, out[i] = p_reduceMax##s(in[i]))                                       \
    BENCH_LOOP(run_scanAdd##s, T, T, out[i] = p_scanAdd##s(in[i]))                                           \
    BENCH_LOOP(run_scanMul##s, T, T, out[i] = p_scanMul##s(in[i]))                                           \
    BENCH_LOOP(run_scanMin##s, T, T, out[i] = p_scanMin##s(in[i]))                                           \
    BENCH_LOOP(run_scanMax##s, T, T, out[i] = p_scanMax##s(in[i]))                                           \
    BENCH_LOOP(run_rank##s, T, int, out[i] = p_rank##s(in[i]))                                               \
    BENCH_LOOP(run_match##s, T, uint64_t, out[i] = p_match##s(in[i]))                                        \
    BENCH_LOOP(run_matchCount##s, T, int, out[i] = p_matchCount##s(in[i]))                                   \
    static void run_bcast##s(const struct bench_work *w) {                                                   \
        const T *in = w->in;                                                                                 \
        T *out = w->out;                                                                                     \
        uint64_t all = ALL_MASK, pair = 1 | (uint64_t)1 << (w->answer > 0 ? w->answer : 0);                  \
        for (int i = 0; i < w->count; i++) {                                                                 \
            if (w->me == 0)                                                                                  \
                p_bcastPut##s(out[i] = in[i]);                                                               \
            else                                                                                             \
                out[i] = p_bcastGet##s();                                                                    \
            answer(w, all, pair);                                                                            \
        }                                                                                                    \
    }
BENCH_TYPES(ANY_TYPE)

#define INTEGER_TYPE(s, T)                                                                                   \
    BENCH_LOOP(run_reduceAnd##s, T, T, out[i] = p_reduceAnd##s(in[i]))                                       \
    BENCH_LOOP(run_reduceOr##s, T, T, out[i] = p_reduceOr##s(in[i]))                                         \
    BENCH_LOOP(run_scanAnd##s, T, T, out[i] = p_scanAnd##s(in[i]))                                           \
    BENCH_LOOP(run_scanOr##s, T, T, out[i] = p_scanOr##s(in[i]))
BENCH_INTEGERS(INTEGER_TYPE)

static void run_allToAll(const struct bench_work *w) {
    size_t step = bench_block_step(w->bytes, w->n);
    for (int i = 0; i < w->count; i++)
        p_allToAll((char *)w->out + (size_t)i * step, (const char *)w->in + (size_t)i * step, w->bytes);
}

static void run_permute(const struct bench_work *w) {
    size_t count = w->bytes / sizeof *w->index;
    uint64_t *array = (uint64_t *)w->out - (size_t)w->me * count;
    for (int i = 0; i < w->count; i++)
        p_permutePut(array, count * (size_t)w->n, w->in, w->index, count, sizeof *array);
}

static bench_run *const table[BENCH_KINDS][BENCH_TYPE_COUNT] = {
    BENCH_ROW(enqueue, ),
    BENCH_ROW(wait, ),
    BENCH_ROW(waitvec, ),
    BENCH_ROW(any, ),
    BENCH_ROW(all, ),
    BENCH_ROW(population, ),
    BENCH_ROW(enumerate, ),
    BENCH_ROW(selectFirst, ),
    BENCH_ROW(selectOne, ),
    BENCH_ROW(vote, ),
    BENCH_ROW(voteCount, ),
    BENCH_TYPES(BENCH_ANY_ROWS) BENCH_INTEGERS(BENCH_INTEGER_ROWS)
#define MESSAGES(pattern) [BENCH_OP_##pattern][BENCH_TYPE_] = vertex_##pattern
        MESSAGES(ring),
    MESSAGES(ringKnown),
    MESSAGES(swap),
    MESSAGES(swapKnown),
    MESSAGES(stream),
    MESSAGES(streamKnown),
    MESSAGES(sobel),
    MESSAGES(sobelKnown),
    BENCH_ROW(allToAll, ),
    [BENCH_OP_allToAllOwn][BENCH_TYPE_] = run_allToAll,
    [BENCH_OP_permuteBlock][BENCH_TYPE_] = run_permute,
    [BENCH_OP_permuteTranspose][BENCH_TYPE_] = run_permute,
    [BENCH_OP_permuteGrouped][BENCH_TYPE_] = run_permute,
    [BENCH_OP_permuteRandom][BENCH_TYPE_] = run_permute,
    [BENCH_OP_sobelParts][BENCH_TYPE_] = run_alone,
    [BENCH_OP_sobelWhole][BENCH_TYPE_] = run_alone,
    [BENCH_OP_sobelFirst][BENCH_TYPE_] = run_alone};

static void label(char text[BENCH_LABEL]) {
    snprintf(text, BENCH_LABEL, "Unisono %s", UNISONO_VERSION);
}

/* Return memory where the extended protocol needs no buffers. */
static void *pool(int me, int which) {
    (void)me, (void)which;
    void *memory = nalloc(BENCH_POOL);
    if (!memory)
        p_error("no memory that all nodes reach");
    return memory;
}

const struct bench_side bench_side = {
    .start = job_start, .label = label, .run = table, .pool = pool, .blocks = job_blocks};
