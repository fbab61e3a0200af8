/* The operations, their data, and the checks of their results. */

#define _GNU_SOURCE
#include "operations.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD

/* ---- data -------------------------------------------------------------------------------------------- */

/* Return the value of element i of rank `rank`, in sample or operation s: small, so that sums are exact in
 * any order. */
static inline int value(long s, int rank, long i) {
    return (int)((s * 7 + rank * 5 + i * 3 + (i >> 8)) & 7) + 1;
}

static inline void put(const struct work *w, void *at, long i, int v) {
    switch (w->size) {
    case 8:
        ((double *)at)[i] = v;
        break;
    case 4:
        ((float *)at)[i] = (float)v;
        break;
    default:
        ((uint8_t *)at)[i] = (uint8_t)v;
    }
}

static inline double get(const struct work *w, const void *at, long i) {
    switch (w->size) {
    case 8:
        return ((const double *)at)[i];
    case 4:
        return ((const float *)at)[i];
    default:
        return ((const uint8_t *)at)[i];
    }
}

/* Mark the first element with the operation's number in the row, so that the result of an earlier one is
 * wrong. */
static inline void stamp(const struct work *w, int i) {
    put(w, w->in, 0, value(w->sample + i, w->me, 0));
}

static inline int expected(const struct work *w, int rank, long i) {
    return value(i == 0 ? w->sample + w->calls - 1 : 0, rank, i);
}

/* Return the distance of the elements that are checked: of many elements only some are. */
static inline long stride(const struct work *w) {
    return w->count > 16384 ? 61 : 1;
}

const char *work_type(const struct operation *op, struct work *w) {
    bool numbers = op->reduces;
    w->size = numbers && w->bytes % 8 == 0 ? 8 : numbers && w->bytes % 4 == 0 ? 4 : 1;
    w->type = !numbers ? MPI_BYTE : w->size == 8 ? MPI_DOUBLE : w->size == 4 ? MPI_FLOAT : MPI_UINT8_T;
    w->count = (int)(w->bytes / (size_t)w->size);
    return !numbers ? "MPI_BYTE" : w->size == 8 ? "MPI_DOUBLE" : w->size == 4 ? "MPI_FLOAT" : "MPI_UINT8_T";
}

size_t work_bytes(const struct work *w, enum blocks blocks) {
    return blocks == NO_DATA ? 0 : blocks == ONE ? w->bytes : w->bytes * (size_t)w->ranks;
}

void work_fill(const struct operation *op, struct work *w) {
    long in = (long)(work_bytes(w, op->in) / (size_t)w->size);
    for (long i = 0; i < in; i++)
        put(w, w->in, i, value(0, w->me, i));
    for (int r = 0; r < w->ranks; r++) {
        w->counts[r] = w->count;
        w->places[r] = r * w->count;
    }
}

void work_clear(const struct operation *op, struct work *w) {
    memset(w->out, 0xee, work_bytes(w, op->out));
}

/* ---- answers ----------------------------------------------------------------------------------------- */

static atomic_long *answers; /* in memory that rank 0 made: as many as were given to it */
static long answers_taken;

bool answers_open(const struct work *w) {
    long where[2] = {getpid(), w->me == 0 ? memfd_create("answers", MFD_CLOEXEC) : -1};
    int fd = (int)where[1], mine, all;
    if (w->me == 0 && ftruncate(fd, 4096))
        return false;
    PMPI_Bcast(where, 2, MPI_LONG, 0, WORLD);
    if (w->me) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%ld/fd/%ld", where[0], where[1]);
        fd = open(path, O_RDWR | O_CLOEXEC);
    }
    answers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    mine = answers != MAP_FAILED;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, WORLD);
    return all;
}

void answer_give(const struct work *w) {
    if (w->flag)
        atomic_fetch_add(answers, 1);
    else
        MPI_Send(NULL, 0, MPI_BYTE, 0, 0, WORLD);
}

void answer_take(const struct work *w) {
    answers_taken += w->flag;
    if (!w->flag)
        MPI_Recv(NULL, 0, MPI_BYTE, w->answer, 0, WORLD, MPI_STATUS_IGNORE);
    else
        for (int spins = 0; atomic_load(answers) < answers_taken; spins++)
            if (spins > 200)
                sched_yield();
}

static inline void answer(const struct work *w) {
    if (w->answer > 0 && w->me == w->answer)
        answer_give(w);
    else if (w->answer > 0 && w->me == 0)
        answer_take(w);
}

/* ---- checks ------------------------------------------------------------------------------------------ */

static inline int last_root(const struct work *w) {
    return w->rotate ? (w->calls - 1) % w->ranks : 0;
}

static long nothing_wrong(const struct work *w) {
    return (void)w, 0;
}

/* Check a reduction of the ranks below `ranks`, of the elements from `first` on. */
static long wrong_sums(const struct work *w, int ranks, long first) {
    long wrong = 0;
    for (long i = 0; i < w->count; i += stride(w)) {
        int sum = 0;
        for (int r = 0; r < ranks; r++)
            sum += expected(w, r, first + i);
        wrong += get(w, w->out, i) != sum;
    }
    return wrong;
}
static long wrong_sum(const struct work *w) {
    return wrong_sums(w, w->ranks, 0);
}
static long wrong_sum_at_root(const struct work *w) {
    return w->me == last_root(w) ? wrong_sum(w) : 0;
}
static long wrong_scan(const struct work *w) {
    return wrong_sums(w, w->me + 1, 0);
}
static long wrong_exscan(const struct work *w) {
    return w->me ? wrong_sums(w, w->me, 0) : 0;
}
static long wrong_share(const struct work *w) {
    return wrong_sums(w, w->ranks, (long)w->me * w->count);
}

/* Check a block of `out`, which came from rank `from`, where it began at element `first`. */
static long wrong_block(const struct work *w, int block, int from, long first) {
    long wrong = 0;
    for (long i = 0; i < w->count; i += stride(w))
        wrong += get(w, w->out, (long)block * w->count + i) != expected(w, from, first + i);
    return wrong;
}
static long wrong_bcast(const struct work *w) {
    return w->me == last_root(w) ? 0 : wrong_block(w, 0, last_root(w), 0);
}
static long wrong_blocks(const struct work *w) {
    long wrong = 0;
    for (int r = 0; r < w->ranks; r++)
        wrong += wrong_block(w, r, r, 0);
    return wrong;
}
static long wrong_blocks_at_root(const struct work *w) {
    return w->me == last_root(w) ? wrong_blocks(w) : 0;
}
static long wrong_scatter(const struct work *w) {
    return wrong_block(w, 0, last_root(w), (long)w->me * w->count);
}
static long wrong_alltoall(const struct work *w) {
    long wrong = 0;
    for (int r = 0; r < w->ranks; r++)
        wrong += wrong_block(w, r, r, (long)w->me * w->count);
    return wrong;
}

/* ---- rows of operations ------------------------------------------------------------------------------ */

#define ROOT (w->rotate ? i % w->ranks : 0)

/* X(name, in, out, reduces, rooted, from root, wrong, arguments). A broadcast's root sends from `in`, the
 * others receive into `out`. */
#define OPERATIONS(X)                                                                                        \
    X(Barrier, NO_DATA, NO_DATA, false, false, false, nothing_wrong, (WORLD))                                \
    X(Bcast, ONE, ONE, false, true, true, wrong_bcast,                                                       \
      (w->me == ROOT ? w->in : w->out, w->count, w->type, ROOT, WORLD))                                      \
    X(Reduce, ONE, ONE, true, true, false, wrong_sum_at_root,                                                \
      (w->in, w->out, w->count, w->type, MPI_SUM, ROOT, WORLD))                                              \
    X(Allreduce, ONE, ONE, true, false, false, wrong_sum,                                                    \
      (w->in, w->out, w->count, w->type, MPI_SUM, WORLD))                                                    \
    X(Allgather, ONE, EACH, false, false, false, wrong_blocks,                                               \
      (w->in, w->count, w->type, w->out, w->count, w->type, WORLD))                                          \
    X(Gather, ONE, EACH, false, true, false, wrong_blocks_at_root,                                           \
      (w->in, w->count, w->type, w->out, w->count, w->type, ROOT, WORLD))                                    \
    X(Scatter, EACH, ONE, false, true, true, wrong_scatter,                                                  \
      (w->in, w->count, w->type, w->out, w->count, w->type, ROOT, WORLD))                                    \
    X(Alltoall, EACH, EACH, false, false, false, wrong_alltoall,                                             \
      (w->in, w->count, w->type, w->out, w->count, w->type, WORLD))                                          \
    X(Scan, ONE, ONE, true, false, false, wrong_scan, (w->in, w->out, w->count, w->type, MPI_SUM, WORLD))    \
    X(Exscan, ONE, ONE, true, false, false, wrong_exscan,                                                    \
      (w->in, w->out, w->count, w->type, MPI_SUM, WORLD))                                                    \
    X(Reduce_scatter_block, EACH, ONE, true, false, false, wrong_share,                                      \
      (w->in, w->out, w->count, w->type, MPI_SUM, WORLD))                                                    \
    X(Reduce_scatter, EACH, ONE, true, false, false, wrong_share,                                            \
      (w->in, w->out, w->counts, w->type, MPI_SUM, WORLD))                                                   \
    X(Allgatherv, ONE, EACH, false, false, false, wrong_blocks,                                              \
      (w->in, w->count, w->type, w->out, w->counts, w->places, w->type, WORLD))                              \
    X(Gatherv, ONE, EACH, false, true, false, wrong_blocks_at_root,                                          \
      (w->in, w->count, w->type, w->out, w->counts, w->places, w->type, ROOT, WORLD))                        \
    X(Scatterv, EACH, ONE, false, true, true, wrong_scatter,                                                 \
      (w->in, w->counts, w->places, w->type, w->out, w->count, w->type, ROOT, WORLD))                        \
    X(Alltoallv, EACH, EACH, false, false, false, wrong_alltoall,                                            \
      (w->in, w->counts, w->places, w->type, w->out, w->counts, w->places, w->type, WORLD))

#define ROW(side, prefix, name, in, arguments)                                                               \
    static void side##_##name(const struct work *w) {                                                        \
        for (int i = 0; i < w->calls; i++) {                                                                 \
            if (in != NO_DATA)                                                                               \
                stamp(w, i);                                                                                 \
            prefix##MPI_##name arguments;                                                                    \
            answer(w);                                                                                       \
        }                                                                                                    \
    }
#define ROWS(name, in, out, reduces, rooted, from_root, wrong, arguments)                                    \
    ROW(with, , name, in, arguments)                                                                         \
    ROW(without, P, name, in, arguments)
OPERATIONS(ROWS)

#define ENTRY(name, in, out, reduces, rooted, from_root, wrong, arguments)                                   \
    {"MPI_" #name, in, out, reduces, rooted, from_root, {with_##name, without_##name}, wrong},
const struct operation operations[] = {OPERATIONS(ENTRY)};
const int operations_known = sizeof operations / sizeof *operations;
