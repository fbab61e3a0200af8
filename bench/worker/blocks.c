/* Blocks: fresh contents for each, unless one operation has so many that no cache holds them, and what each
 * PE must have received. */

#include "blocks.h"

#include <stdio.h>
#include <string.h>

#include "content.h"
#include "kinds.h"
#include "memory.h"
#include "sides/side.h"

enum { UNTOUCHED = 0xa5 };

/* Room for so many bytes of blocks to send (0) or received (1). */
static void *room(struct bench_pe *pe, size_t bytes, int which) {
    bool own = !bench_side.blocks || pe->turn.op == BENCH_OP_allToAllOwn;
    void **memory = &pe->block_pool[!own][which].memory;
    size_t *before = &pe->block_pool[!own][which].bytes;
    if (bytes > *before) {
        *memory = bench_memory(pe, own, bytes, *memory, *before);
        *before = bytes;
    }
    return *memory;
}

static struct content content(const struct bench_turn *turn, int i, int from, int to) {
    return content_of(turn->seed + ((uint64_t)i << 16) + ((uint64_t)from << 8) + (uint64_t)to);
}

/* Operations that have blocks of their own. */
static int distinct(const struct bench_pe *pe, int operations) {
    return pe->in_step ? operations : 1;
}

void bench_blocks_prepare(struct bench_pe *pe, int operations) {
    const struct bench_turn *turn = &pe->turn;
    size_t bytes = turn->bytes, all = bytes * (size_t)pe->n;
    pe->in_step = pe->out_step = bench_block_step(bytes, pe->n);
    size_t total = pe->in_step ? (size_t)operations * pe->in_step : all;
    total = total > BENCH_BLOCK_POOL ? total : BENCH_BLOCK_POOL;
    pe->in = room(pe, total, 0);
    pe->out = room(pe, total, 1);
    for (int i = 0; i < distinct(pe, operations); i++)
        for (int r = 0; r < pe->n; r++)
            content_fill(content(turn, i, pe->me, r),
                         (unsigned char *)pe->in + (size_t)i * pe->in_step + (size_t)r * bytes, bytes);
    memset(pe->out, UNTOUCHED, pe->in_step ? total : all);
}

void bench_blocks_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    const struct bench_turn *turn = &pe->turn;
    size_t bytes = turn->bytes;
    bool copied = turn->op == BENCH_OP_copyAll;
    for (int i = 0; i < distinct(pe, operations); i++)
        for (int r = 0; r < pe->n; r++) {
            const unsigned char *got =
                (const unsigned char *)pe->out + (size_t)i * pe->out_step + (size_t)r * bytes;
            struct content expected = copied ? content(turn, i, pe->me, r) : content(turn, i, r, pe->me);
            size_t at = content_wrong(expected, got, bytes);
            if (at < bytes && !reply->wrong++)
                snprintf(reply->text, sizeof reply->text,
                         "%s of %d PEs, operation %d, blocks of %zu bytes: PE %d received 0x%02x from PE %d "
                         "at byte %zu",
                         bench_kinds[turn->op].name, pe->n, i, bytes, pe->me, got[at], r, at);
        }
}
