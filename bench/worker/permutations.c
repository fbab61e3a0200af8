/* An element is known by the place where it belongs: its value is made from that. */

#include "permutations.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kinds.h"
#include "memory.h"
#include "model/table.h"

enum { UNTOUCHED = 0xa5 };

static uint64_t value(const struct bench_turn *turn, uint64_t place) {
    return bench_mix(turn->seed + place);
}

void bench_permutations_prepare(struct bench_pe *pe, int operations) {
    (void)operations; /* all have the same elements */
    const struct bench_turn *turn = &pe->turn;
    size_t bytes = turn->bytes, words = bytes / sizeof *pe->index;
    void *memory[3] = {pe->permuted.in, pe->permuted.out, pe->permuted.index};
    for (int i = 0; i < 3 && bytes != pe->permuted.bytes; i++)
        memory[i] = bench_memory(pe, i != 1, bytes, memory[i], pe->permuted.bytes);
    pe->in = pe->permuted.in = memory[0];
    pe->out = pe->permuted.out = memory[1];
    pe->index = pe->permuted.index = memory[2];
    pe->permuted.bytes = bytes;
    pe->in_step = pe->out_step = 0;
    uno_table_permutation(pe->permuted.index,
                          (enum uno_permutation)(turn->op - BENCH_OP_permuteBlock + UNO_BLOCK), pe->me, pe->n,
                          words);
    for (size_t i = 0; i < words; i++)
        ((uint64_t *)pe->in)[i] = value(turn, pe->index[i]);
    memset(pe->out, UNTOUCHED, bytes);
}

void bench_permutations_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    (void)operations;
    const struct bench_turn *turn = &pe->turn;
    size_t words = turn->bytes / sizeof *pe->index, first = (size_t)pe->me * words;
    for (size_t i = 0; i < words; i++)
        if (((const uint64_t *)pe->out)[i] != value(turn, first + i) && !reply->wrong++)
            snprintf(reply->text, sizeof reply->text,
                     "%s of %d PEs, parts of %zu elements: element %zu of PE %d is not the one that belongs "
                     "there",
                     bench_kinds[turn->op].name, pe->n, words, i, pe->me);
}
