/* Unisono with every order of an exchange, of which the library has chosen one (src/exchange/plan.h). */

#include <exchange.h>
#include <stdio.h>

#include "exchange/local.h"
#include "exchange/transfer.h"
#include "job.h"
#include "side.h"

static void run(const struct bench_work *w, enum uno_order order, bool phased) {
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
        run(w, order, phased);                                                                               \
    }
ORDER(shift, UNO_SHIFT, false)
ORDER(shiftPhased, UNO_SHIFT, true)
ORDER(exclusive, UNO_EXCLUSIVE_OR, false)
ORDER(exclusivePhased, UNO_EXCLUSIVE_OR, true)
ORDER(reflected, UNO_REFLECTED, false)
ORDER(reflectedPhased, UNO_REFLECTED, true)

static bench_run *const table[BENCH_KINDS][BENCH_TYPE_COUNT] = {
    BENCH_ROW(shift, ),           BENCH_ROW(shiftPhased, ), BENCH_ROW(exclusive, ),
    BENCH_ROW(exclusivePhased, ), BENCH_ROW(reflected, ),   BENCH_ROW(reflectedPhased, )};

static void label(char text[BENCH_LABEL]) {
    snprintf(text, BENCH_LABEL, "schedules");
}

const struct bench_side bench_side = {.start = job_start, .label = label, .run = table, .blocks = job_blocks};
