/* The side of an MPI library, compiled with its own mpicc, or of this project's. An operation is one call of
 * MPI where it has one (MPI_Allreduce, MPI_Allgather, MPI_Bcast, MPI_Barrier); otherwise the cheapest
 * equivalent found, marked.
 *
 * Scans are an MPI_Allgather and the local part, not MPI_Scan: in that, PE 0 waits for nobody, so a row of
 * them overlaps like a pipeline, and the time of one cannot be told; nor does it promise, as p_scan does,
 * that every PE has come. The allgather promises that, and is the cheapest that does. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "local_part.h"
#include "detector/part.h"
#include "mpi_permute.h"
#include "mpi_programs.h"
#include "side.h"

#define WORLD MPI_COMM_WORLD
#define MPI_TYPE_8 MPI_INT8_T
#define MPI_TYPE_8u MPI_UINT8_T
#define MPI_TYPE_16 MPI_INT16_T
#define MPI_TYPE_16u MPI_UINT16_T
#define MPI_TYPE_32 MPI_INT32_T
#define MPI_TYPE_32u MPI_UINT32_T
#define MPI_TYPE_64 MPI_INT64_T
#define MPI_TYPE_64u MPI_UINT64_T
#define MPI_TYPE_f MPI_FLOAT
#define MPI_TYPE_d MPI_DOUBLE

BENCH_LOOP(run_wait, int, int, MPI_Barrier(WORLD))
BENCH_LOOP(run_any, int, int, MPI_Allreduce(&in[i], &out[i], 1, MPI_INT, MPI_LOR, WORLD))
BENCH_LOOP(run_all, int, int, MPI_Allreduce(&in[i], &out[i], 1, MPI_INT, MPI_LAND, WORLD))

static void run_waitvec(const struct bench_work *w) {
    const int *in = w->in;
    uint64_t *out = w->out;
    for (int i = 0; i < w->count; i++) {
        uint64_t mine = (uint64_t)(in[i] != 0) << w->me;
        MPI_Allreduce(&mine, &out[i], 1, MPI_UINT64_T, MPI_BOR, WORLD);
    }
}

/* Gather every PE's value, then compute the local part. */
#define GATHER_THEN(name, T, mpi_type, R, local)                                                             \
    static void name(const struct bench_work *w) {                                                           \
        const T *in = w->in;                                                                                 \
        R *out = w->out;                                                                                     \
        T v[BENCH_MAX_PES];                                                                                  \
        for (int i = 0; i < w->count; i++) {                                                                 \
            MPI_Allgather(&in[i], 1, mpi_type, v, 1, mpi_type, WORLD);                                       \
            out[i] = local;                                                                                  \
        }                                                                                                    \
    }
GATHER_THEN(run_vote, int, MPI_INT, uint64_t, local_vote(v, w->me, w->n))
GATHER_THEN(run_voteCount, int, MPI_INT, int, __builtin_popcountll(local_vote(v, w->me, w->n)))

#define REDUCE(s, T, name, op)                                                                               \
    BENCH_LOOP(run_##name##s, T, T, MPI_Allreduce(&in[i], &out[i], 1, MPI_TYPE_##s, op, WORLD))

#define LOCAL(s, T, name, R)                                                                                 \
    GATHER_THEN(run_##name##s, T, MPI_TYPE_##s, R, local_##name##s(v, w->me, w->n, w->who[i]))

#define ANY_TYPE(s, T)                                                                                       \
    BENCH_LOOP(run_gather##s, T, T,                                                                          \
               MPI_Allgather(&in[i], 1, MPI_TYPE_##s, out + i * w->n, 1, MPI_TYPE_##s, WORLD))               \
    REDUCE(s, T, reduceAdd, MPI_SUM)                                                                         \
    REDUCE(s, T, reduceMul, MPI_PROD)                                                                        \
    REDUCE(s, T, reduceMin, MPI_MIN)                                                                         \
    REDUCE(s, T, reduceMax, MPI_MAX)                                                                         \
    LOCAL(s, T, scanAdd, T)                                                                                  \
    LOCAL(s, T, scanMul, T)                                                                                  \
    LOCAL(s, T, scanMin, T)                                                                                  \
    LOCAL(s, T, scanMax, T)                                                                                  \
    LOCAL(s, T, putget, T)                                                                                   \
    LOCAL(s, T, rank, int)                                                                                   \
    LOCAL(s, T, match, uint64_t)                                                                             \
    LOCAL(s, T, matchCount, int)                                                                             \
    static void run_bcast##s(const struct bench_work *w) {                                                   \
        const T *in = w->in;                                                                                 \
        T *out = w->out;                                                                                     \
        for (int i = 0; i < w->count; i++) {                                                                 \
            if (w->me == 0)                                                                                  \
                out[i] = in[i];                                                                              \
            MPI_Bcast(&out[i], 1, MPI_TYPE_##s, 0, WORLD);                                                   \
            answer(w);                                                                                       \
        }                                                                                                    \
    }

/* Answer: a message of 0 bytes. */
static inline void answer(const struct bench_work *w) {
    if (w->answer > 0 && w->me == w->answer)
        MPI_Send(NULL, 0, MPI_BYTE, 0, 0, WORLD);
    else if (w->answer > 0 && w->me == 0)
        MPI_Recv(NULL, 0, MPI_BYTE, w->answer, 0, WORLD, MPI_STATUS_IGNORE);
}
BENCH_TYPES(ANY_TYPE)

#define INTEGER_TYPE(s, T)                                                                                   \
    REDUCE(s, T, reduceAnd, MPI_BAND)                                                                        \
    REDUCE(s, T, reduceOr, MPI_BOR)                                                                          \
    LOCAL(s, T, scanAnd, T)                                                                                  \
    LOCAL(s, T, scanOr, T)
BENCH_INTEGERS(INTEGER_TYPE)

/* ---- messages ------------------------------------------------------------------------------------------ */

/* End a turn when all messages have been received: a message that was sent may wait here to be delivered,
 * which happens only in calls of MPI. */
static void end_turn(const struct bench_work *w) {
    if (w->after == 0)
        MPI_Barrier(WORLD);
}

static void run_ring(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    int to = (w->me + 1) % w->n, from = (w->me + w->n - 1) % w->n, bytes = (int)w->bytes;
    for (int i = 0; i < w->count; i++) {
        void *in = (char *)w->out + (size_t)i * slot;
        if (w->me == 0)
            MPI_Send((const char *)w->in + (size_t)i * slot, bytes, MPI_BYTE, to, 0, WORLD);
        MPI_Recv(in, bytes, MPI_BYTE, from, 0, WORLD, MPI_STATUS_IGNORE);
        if (w->me)
            MPI_Send(in, bytes, MPI_BYTE, to, 0, WORLD);
    }
    end_turn(w);
}

/* Use MPI's calls for a receiver that is ready beforehand: MPI_Irecv and MPI_Rsend. The next receive is
 * posted before this message is passed on, so before the next one can come. */
static void run_ringKnown(const struct bench_work *w) {
    static MPI_Request request[2];
    size_t slot = bench_slot(w->bytes);
    int to = (w->me + 1) % w->n, from = (w->me + w->n - 1) % w->n, bytes = (int)w->bytes;
    if (w->before == 0) {
        MPI_Irecv(w->out, bytes, MPI_BYTE, from, 0, WORLD, &request[0]);
        MPI_Barrier(WORLD);
    }
    for (int i = 0, number = w->before; i < w->count; i++, number++) {
        void *in = (char *)w->out + (size_t)i * slot;
        if (w->me == 0)
            MPI_Rsend((const char *)w->in + (size_t)i * slot, bytes, MPI_BYTE, to, 0, WORLD);
        MPI_Wait(&request[number & 1], MPI_STATUS_IGNORE);
        if (i + 1 < w->count || w->after)
            MPI_Irecv((char *)in + slot, bytes, MPI_BYTE, from, 0, WORLD, &request[~number & 1]);
        if (w->me)
            MPI_Rsend(in, bytes, MPI_BYTE, to, 0, WORLD);
    }
}

static void run_swap(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    int other = w->me ^ 1, bytes = (int)w->bytes;
    for (int i = 0; i < w->count; i++)
        MPI_Sendrecv((const char *)w->in + (size_t)i * slot, bytes, MPI_BYTE, other, 0,
                     (char *)w->out + (size_t)i * slot, bytes, MPI_BYTE, other, 0, WORLD, MPI_STATUS_IGNORE);
    end_turn(w);
}

static void run_swapKnown(const struct bench_work *w) {
    static MPI_Request request[2];
    size_t slot = bench_slot(w->bytes);
    int other = w->me ^ 1, bytes = (int)w->bytes;
    if (w->before == 0) {
        MPI_Irecv(w->out, bytes, MPI_BYTE, other, 0, WORLD, &request[0]);
        MPI_Barrier(WORLD);
    }
    for (int i = 0, number = w->before; i < w->count; i++, number++) {
        char *in = (char *)w->out + (size_t)i * slot;
        MPI_Request sent;
        if (i + 1 < w->count || w->after)
            MPI_Irecv(in + slot, bytes, MPI_BYTE, other, 0, WORLD, &request[~number & 1]);
        MPI_Irsend((const char *)w->in + (size_t)i * slot, bytes, MPI_BYTE, other, 0, WORLD, &sent);
        MPI_Wait(&request[number & 1], MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
}

/* Send and receive the empty message that ends or begins a stream. */
static void nod(int me, int from) {
    if (me == from)
        MPI_Send(NULL, 0, MPI_BYTE, me ^ 1, 1, WORLD);
    else
        MPI_Recv(NULL, 0, MPI_BYTE, from, 1, WORLD, MPI_STATUS_IGNORE);
}

static void run_stream(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    for (int i = 0; i < w->count; i++)
        if (w->me & 1)
            MPI_Recv((char *)w->out + (size_t)i * slot, (int)w->bytes, MPI_BYTE, w->me ^ 1, 0, WORLD,
                     MPI_STATUS_IGNORE);
        else
            MPI_Send((const char *)w->in + (size_t)i * slot, (int)w->bytes, MPI_BYTE, w->me ^ 1, 0, WORLD);
    nod(w->me, w->me | 1);
}

static void run_streamKnown(const struct bench_work *w) {
    MPI_Request request[BENCH_BATCH];
    size_t slot = bench_slot(w->bytes);
    int receives = w->me & 1;
    for (int i = 0; receives && i < w->count; i++)
        MPI_Irecv((char *)w->out + (size_t)i * slot, (int)w->bytes, MPI_BYTE, w->me ^ 1, 0, WORLD,
                  &request[i]);
    nod(w->me, w->me | 1);
    for (int i = 0; !receives && i < w->count; i++)
        MPI_Irsend((const char *)w->in + (size_t)i * slot, (int)w->bytes, MPI_BYTE, w->me ^ 1, 0, WORLD,
                   &request[i]);
    MPI_Waitall(w->count, request, MPI_STATUSES_IGNORE);
    nod(w->me, w->me | 1);
}

static void run_sobelKnown(const struct bench_work *w) {
    const struct part *part = w->part;
    MPI_Request request[2 * PART_LINKS];
    for (int i = 0; i < w->count; i++) {
        for (int k = 0; k < part->links; k++)
            MPI_Irecv(part->link[k].in[0], (int)part->link[k].bytes, MPI_BYTE, part->link[k].pe,
                      part->link[k].back, WORLD, &request[k]);
        part_pack(part);
        for (int k = 0; k < part->links; k++)
            MPI_Isend(part->link[k].out, (int)part->link[k].bytes, MPI_BYTE, part->link[k].pe,
                      part->link[k].there, WORLD, &request[part->links + k]);
        part_inner(part);
        MPI_Waitall(2 * part->links, request, MPI_STATUSES_IGNORE);
        part_outer(part, 0);
    }
}

static void run_allToAll(const struct bench_work *w) {
    size_t step = bench_block_step(w->bytes, w->n);
    int bytes = (int)w->bytes;
    for (int i = 0; i < w->count; i++)
        MPI_Alltoall((const char *)w->in + (size_t)i * step, bytes, MPI_BYTE,
                     (char *)w->out + (size_t)i * step, bytes, MPI_BYTE, WORLD);
}

static bench_run *const table[BENCH_KINDS][BENCH_TYPE_COUNT] = {
    BENCH_ROW(wait, ),
    BENCH_ROW(waitvec, ),
    BENCH_ROW(any, ),
    BENCH_ROW(all, ),
    BENCH_ROW(vote, ),
    BENCH_ROW(voteCount, ),
    BENCH_ROW(ring, ),
    BENCH_ROW(ringKnown, ),
    BENCH_ROW(swap, ),
    BENCH_ROW(swapKnown, ),
    BENCH_ROW(stream, ),
    BENCH_ROW(streamKnown, ),
    BENCH_ROW(sobelKnown, ),
    BENCH_ROW(allToAll, ),
    [BENCH_OP_permuteBlock][BENCH_TYPE_] = mpi_permute,
    [BENCH_OP_permuteTranspose][BENCH_TYPE_] = mpi_permute,
    [BENCH_OP_permuteGrouped][BENCH_TYPE_] = mpi_permute,
    [BENCH_OP_permuteRandom][BENCH_TYPE_] = mpi_permute,
    [BENCH_OP_jacobi][BENCH_TYPE_] = mpi_jacobi,
    [BENCH_OP_product][BENCH_TYPE_] = mpi_product,
    [BENCH_OP_trapezoid][BENCH_TYPE_] = mpi_trapezoid,
    [BENCH_OP_pi][BENCH_TYPE_] = mpi_pi,
    BENCH_TYPES(BENCH_ANY_ROWS) BENCH_INTEGERS(BENCH_INTEGER_ROWS)};

static const bool equivalent[BENCH_KINDS] = {
    [BENCH_OP_waitvec] = true,        [BENCH_OP_putget] = true,        [BENCH_OP_scanAdd] = true,
    [BENCH_OP_scanMul] = true,        [BENCH_OP_scanMin] = true,       [BENCH_OP_scanMax] = true,
    [BENCH_OP_scanAnd] = true,        [BENCH_OP_scanOr] = true,        [BENCH_OP_rank] = true,
    [BENCH_OP_vote] = true,           [BENCH_OP_voteCount] = true,     [BENCH_OP_match] = true,
    [BENCH_OP_matchCount] = true,     [BENCH_OP_permuteBlock] = true,  [BENCH_OP_permuteTranspose] = true,
    [BENCH_OP_permuteGrouped] = true, [BENCH_OP_permuteRandom] = true,
};

static int start(int n, bool threads, int processors, int (*body)(int me, int n)) {
    (void)threads, (void)processors;
    int me, size;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(WORLD, &me);
    MPI_Comm_size(WORLD, &size);
    if (size != n) {
        fprintf(stderr, "bench worker: %d PEs instead of %d: mpirun and library do not belong together\n",
                size, n);
        return 1;
    }
    int result = body(me, size);
    MPI_Finalize();
    return result;
}

/* Shorten the version text: "MPICH 5.0.2" for "MPICH Version: 5.0.2 ...", "Open MPI 5.0.11" for "Open MPI
 * v5.0.11, ...", "Unisono MPI 0.1.0" for "Unisono 0.1.0, ...". */
static void label(char text[BENCH_LABEL]) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING], number[16] = "";
    int length;
    MPI_Get_library_version(version, &length);
    const char *name = strstr(version, "Open MPI")  ? "Open MPI"
                       : strstr(version, "MPICH")   ? "MPICH"
                       : strstr(version, "Unisono") ? "Unisono MPI"
                                                    : "MPI";
    size_t digit = strcspn(version, "0123456789");
    sscanf(version + digit, "%15[0-9.]", number);
    snprintf(text, BENCH_LABEL, "%s %s", name, number);
}

const struct bench_side bench_side = {.start = start, .label = label, .run = table, .equivalent = equivalent};
