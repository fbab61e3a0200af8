/* Messages: fresh contents for each, and what each PE must have received. */

#include "messages.h"

#include <stdio.h>
#include <string.h>

#include "content.h"
#include "kinds.h"
#include "memory.h"

enum { UNTOUCHED = 0xa5 };

/* Return the PE that has made the messages that PE `me` receives; -1: it receives none. */
static int maker(const struct bench_turn *turn, int me) {
    switch (turn->op) {
    case BENCH_OP_ring:
    case BENCH_OP_ringKnown:
        return 0;
    case BENCH_OP_swap:
    case BENCH_OP_swapKnown:
        return me ^ 1;
    default:
        return me % 2 ? me - 1 : -1;
    }
}

static bool makes(const struct bench_turn *turn, int me, int n) {
    int k = 0;
    while (k < n && maker(turn, k) != me)
        k++;
    return k < n;
}

static struct content content(const struct bench_turn *turn, int i, int from) {
    return content_of(turn->seed + ((uint64_t)i << 8) + (uint64_t)from);
}

/* The first byte of a slot that is wrong; the slot's size: none. Nothing may be written behind a message. */
static size_t wrong_byte(const struct bench_turn *turn, int i, int from, const unsigned char *got) {
    size_t slot = bench_slot(turn->bytes), at = content_wrong(content(turn, i, from), got, turn->bytes);
    if (at == turn->bytes)
        while (at < slot && got[at] == UNTOUCHED)
            at++;
    return at;
}

void bench_messages_prepare(struct bench_pe *pe, int operations) {
    const struct bench_turn *turn = &pe->turn;
    pe->in = bench_pool(pe, 0);
    pe->out = bench_pool(pe, 1);
    pe->in_step = pe->out_step = bench_slot(turn->bytes);
    for (int i = 0; i < operations && makes(turn, pe->me, pe->n); i++)
        content_fill(content(turn, i, pe->me), (unsigned char *)pe->in + (size_t)i * pe->in_step,
                     turn->bytes);
    if (maker(turn, pe->me) >= 0)
        memset(pe->out, UNTOUCHED, (size_t)operations * pe->out_step);
}

void bench_messages_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    const struct bench_turn *turn = &pe->turn;
    int from = maker(turn, pe->me);
    for (int i = 0; from >= 0 && i < operations; i++) {
        const unsigned char *got = (const unsigned char *)pe->out + (size_t)i * pe->out_step;
        size_t at = wrong_byte(turn, i, from, got);
        if (at < pe->out_step && !reply->wrong++)
            snprintf(reply->text, sizeof reply->text,
                     "%s of %d PEs, message %d of %llu bytes: PE %d received it with 0x%02x at byte %zu",
                     bench_kinds[turn->op].name, pe->n, i, (unsigned long long)turn->bytes, pe->me, got[at],
                     at);
    }
}
