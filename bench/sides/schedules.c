/* Unisono with every order of an exchange, of which the library has chosen one (src/exchange/plan.h). */

#include <exchange.h>
#include <stdio.h>

#include "exchange/local.h"
#include "exchange/transfer.h"
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
                                 .schedule = {order, phased},
                                 .copy = uno_copy_for(bytes * (size_t)w->n)};
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

static int (*body_of_pe)(int me, int n);

static int member(void *unused) {
    (void)unused;
    return body_of_pe(p_iproc(), p_nproc());
}

static int start(int n, bool threads, int processors, int (*body)(int me, int n)) {
    (void)processors;
    if (threads) {
        body_of_pe = body;
        return p_team(n, member, NULL);
    }
    p_init();
    return p_exit(body(p_iproc(), p_nproc()));
}

static void label(char text[BENCH_LABEL]) {
    snprintf(text, BENCH_LABEL, "schedules");
}

static void *blocks(int me, int n, size_t bytes, void *before, size_t bytes_before) {
    if (before)
        p_free((char *)before - (size_t)me * bytes_before);
    char *memory = p_alloc(bytes * (size_t)n);
    return memory ? memory + (size_t)me * bytes : NULL;
}

const struct bench_side bench_side = {.start = start, .label = label, .run = table, .blocks = blocks};
