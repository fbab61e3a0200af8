/* Parts of the library without a face above them: messages of the engine's channel, where the difference to
 * mpi.c is the cost of an MPI library, and the difference to bare.c that of the channel; and every order of
 * an exchange, of which the library has chosen one (src/exchange/plan.h). They are one worker, since each
 * copy of the library that is linked into one is large. */

#include <exchange.h>
#include <papers.h>
#include <stdio.h>

#include "engine/channel/channel.h"
#include "exchange/local.h"
#include "exchange/transfer.h"
#include "vertex/ops.h"

#include "job.h"
#include "programs/programs.h"
#include "side.h"

static inline void send_one(struct uno_channel *channel, int to, const void *data, size_t bytes) {
    uno_channel_send(channel, to, uno_channel_word(0, 0), data, bytes, UNO_SIGNATURE_NWRITE);
}

static inline void receive_one(struct uno_channel *channel, int from, void *data, size_t bytes) {
    struct uno_receive receive = {.envelope = {0, from, 0}, .data = data, .room = bytes};
    uno_channel_receive(channel, &receive, UNO_SIGNATURE_NREAD);
}

/* End a turn when all messages have been received: a message that was sent may wait here to be delivered,
 * which happens only in calls of the engine. */
static void end_turn(const struct bench_work *w) {
    if (w->after == 0)
        p_wait();
}

static void run_ring(const struct bench_work *w) {
    struct uno_channel *channel = uno_channel_of(uno_self);
    size_t slot = bench_slot(w->bytes);
    int to = (w->me + 1) % w->n, from = (w->me + w->n - 1) % w->n;
    for (int i = 0; i < w->count; i++) {
        void *in = (char *)w->out + (size_t)i * slot;
        if (w->me == 0)
            send_one(channel, to, (const char *)w->in + (size_t)i * slot, w->bytes);
        receive_one(channel, from, in, w->bytes);
        if (w->me)
            send_one(channel, to, in, w->bytes);
    }
    end_turn(w);
}

static void run_jacobi(const struct bench_work *w) {
    struct uno_channel *channel = uno_channel_of(uno_self);
    const struct field *f = w->field;
    size_t bytes = (size_t)f->edge * sizeof *f->cells[0];
    bool above = w->me > 0, below = w->me + 1 < w->n;
    for (int i = 0; i < w->count; i++) {
        int which = (w->before + i) & 1;
        if (above)
            send_one(channel, w->me - 1, field_row(f, which, 1), bytes);
        if (below)
            send_one(channel, w->me + 1, field_row(f, which, f->rows), bytes);
        if (below)
            receive_one(channel, w->me + 1, field_row(f, which, f->rows + 1), bytes);
        if (above)
            receive_one(channel, w->me - 1, field_row(f, which, 0), bytes);
        field_sweep(f, which);
    }
    end_turn(w);
}

static void exchange(const struct bench_work *w, enum uno_order order, bool phased) {
    size_t step = bench_block_step(w->bytes, w->n), bytes = w->bytes;
    for (int i = 0; i < w->count; i++) {
        struct uno_side to = {
            .base = (char *)w->out + (size_t)i * step, .rows = 1, .width = bytes, .block = bytes};
        struct uno_side from = {
            .base = (char *)w->in + (size_t)i * step, .rows = 1, .width = bytes, .block = bytes};
        struct uno_transfer t = {.pe = uno_self,
                                 .signature = UNO_SIGNATURE_BYTES(UNO_P_ALL_TO_ALL, bytes),
                                 .name = "p_allToAll",
                                 .to = to,
                                 .from = from,
                                 .schedule = {order, phased}};
        uno_transfer_direct(&t);
    }
}

#define ORDER(name, order, phased)                                                                           \
    static void run_##name(const struct bench_work *w) {                                                     \
        exchange(w, order, phased);                                                                          \
    }
ORDER(shift, UNO_SHIFT, false)
ORDER(shiftPhased, UNO_SHIFT, true)
ORDER(exclusive, UNO_EXCLUSIVE_OR, false)
ORDER(exclusivePhased, UNO_EXCLUSIVE_OR, true)
ORDER(reflected, UNO_REFLECTED, false)
ORDER(reflectedPhased, UNO_REFLECTED, true)

static bench_run *const table[BENCH_KINDS][BENCH_TYPE_COUNT] = {
    BENCH_ROW(ring, ),        BENCH_ROW(jacobi, ),         BENCH_ROW(shift, ),
    BENCH_ROW(shiftPhased, ), BENCH_ROW(exclusive, ),      BENCH_ROW(exclusivePhased, ),
    BENCH_ROW(reflected, ),   BENCH_ROW(reflectedPhased, )};

static void label(char text[BENCH_LABEL]) {
    snprintf(text, BENCH_LABEL, "parts of the library");
}

const struct bench_side bench_side = {.start = job_start, .label = label, .run = table, .blocks = job_blocks};
