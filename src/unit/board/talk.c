/* The round in which keepers tell each other what has changed, and the operations that go by it. */

#include <string.h>

#include "engine/rest.h"
#include "steps.h"
#include "talk.h"

enum {
    LINES = 4,
    SIGNATURE_BITS = 16,
    BITS_BITS = 10,
    CARRIAGE_BITS = 2,
    CODE = 22, /* bits of a word whose half tells a signature and a number of words */
};

static uint32_t own(const struct uno_keeper *keeper) {
    return 1u << keeper->me;
}

/* Pull lines for the bits of a word, as many in each step as there are lines; `ours`: this keeper has one to
 * pull. Returns the OR of all such words. */
static uint64_t carry(struct uno_keeper *keeper, bool ours, uint64_t word, int bits) {
    uint64_t all = 0;
    for (int at = 0; at < bits; at += LINES) {
        unsigned low = bits - at < LINES ? (1u << (bits - at)) - 1 : UNO_LEVEL_NAND;
        all |= (uint64_t)(uno_keeper_step(keeper, ours ? word >> at & low : 0) & low) << at;
    }
    return all;
}

/* ---- announcements ------------------------------------------------------------------------------------- */

/* Each of these PEs in turn announces its operation. */
static void announce(struct uno_keeper *keeper, uint32_t who) {
    for (int k = 0; k < UNO_BOARD_PES; k++) {
        if (!(who >> k & 1))
            continue;
        bool ours = k == keeper->me;
        const struct uno_call *mine = &keeper->mine;
        struct uno_call *call = &keeper->announced[k];
        call->mask = (uint32_t)carry(keeper, ours, mine->mask, UNO_BOARD_PES);
        call->signature = (unsigned)carry(keeper, ours, mine->signature, SIGNATURE_BITS);
        call->carriage = (enum uno_carriage)carry(keeper, ours, mine->carriage, CARRIAGE_BITS);
        call->bits = (int)carry(keeper, ours, (uint64_t)mine->bits, BITS_BITS);
    }
}

static bool same(const struct uno_call *a, const struct uno_call *b) {
    return a->mask == b->mask && a->signature == b->signature && a->carriage == b->carriage &&
           a->bits == b->bits;
}

void uno_keeper_compare(struct uno_keeper *keeper) {
    const struct uno_call *mine = &keeper->mine;
    for (int k = 0; k < UNO_BOARD_PES && mine->mask; k++) {
        const struct uno_call *theirs = &keeper->announced[k];
        if (k == keeper->me || !(mine->mask >> k & 1) || !(theirs->mask & own(keeper)))
            continue;
        struct uno_pe *pe = keeper->pe;
        bool fits = theirs->signature == mine->signature ||
                    (pe->fits && pe->fits(pe, mine->signature, theirs->signature));
        if (!fits || theirs->mask != mine->mask)
            uno_keeper_trouble(keeper, UNO_TROUBLE_MISMATCH, k);
    }
}

/* ---- operations ---------------------------------------------------------------------------------------- */

static void carry_all(struct uno_keeper *keeper, const struct uno_call *call, bool ours) {
    int size = __builtin_popcount(call->mask), total = call->bits * size;
    int rank = __builtin_popcount(call->mask & (own(keeper) - 1));
    for (int at = 0; at < total; at += LINES) {
        unsigned pulled = 0;
        for (int i = at; ours && i < at + LINES && i < total; i++)
            if (i / call->bits == rank)
                pulled |= (unsigned)(keeper->put[i % call->bits / 64] >> i % call->bits % 64 & 1) << (i - at);
        unsigned got = uno_keeper_step(keeper, pulled);
        for (int i = at; ours && i < at + LINES && i < total; i++)
            keeper->word[i / call->bits][i % call->bits / 64] |= (uint64_t)(got >> (i - at) & 1)
                                                                 << i % call->bits % 64;
    }
}

/* Carry an operation that all its members have come to. Keepers of other PEs take part and pull nothing. */
static void operate(struct uno_keeper *keeper, const struct uno_call *call) {
    bool ours = call->mask & own(keeper);
    int rank = __builtin_popcount(call->mask & (own(keeper) - 1));
    uint32_t putters = 0;
    if (ours)
        memset(keeper->word, 0, sizeof keeper->word);
    if (call->carriage == UNO_CARRY_PUT)
        putters = (uint32_t)carry(keeper, ours, keeper->put[1] ? 1u << rank : 0, UNO_BOARD_PES);
    if (call->carriage == UNO_CARRY_OR || call->carriage == UNO_CARRY_PUT) {
        bool puts = ours && (call->carriage == UNO_CARRY_OR || keeper->put[1]);
        uint64_t word = carry(keeper, puts, keeper->put[0], call->bits);
        for (int i = 0; ours && i < UNO_BOARD_PES; i++)
            keeper->word[i][0] = word;
    } else if (call->carriage == UNO_CARRY_ALL) {
        carry_all(keeper, call, ours);
    }
    uno_keeper_roll(keeper);
    for (int k = 0; k < UNO_BOARD_PES; k++)
        if (call->mask >> k & 1)
            keeper->announced[k].mask = 0;
    if (!ours || !keeper->mine.mask)
        return;
    keeper->putters = putters;
    keeper->done = true;
    uno_keeper_answer(keeper);
}

/* Return the operation that PE k is in, if all its members have announced it; otherwise one of nobody.
 * Members whose operations differ, and fit nevertheless, learn all that each of them has put. */
static struct uno_call complete(const struct uno_keeper *keeper, int k) {
    struct uno_call call = keeper->announced[k];
    for (int m = 0; m < UNO_BOARD_PES; m++) {
        const struct uno_call *other = &keeper->announced[m];
        if (!(call.mask >> m & 1))
            continue;
        if (other->mask != call.mask)
            return (struct uno_call){0};
        if (!same(other, &keeper->announced[k]))
            call.carriage = UNO_CARRY_ALL;
        if (other->bits > call.bits)
            call.bits = other->bits;
    }
    return call;
}

static void operate_complete(struct uno_keeper *keeper) {
    for (int k = 0; k < UNO_BOARD_PES; k++) {
        struct uno_call call = complete(keeper, k);
        if (call.mask)
            operate(keeper, &call);
    }
}

/* A number for the operation of a PE that is in one of all, as a word of which half the bits are 1: of two
 * different ones the OR has more. */
static uint32_t balanced(uint32_t number) {
    uint32_t word = 0;
    for (int at = CODE - 1, ones = CODE / 2; at >= 0; at--) {
        uint64_t without = 1; /* words of the lower bits with so many ones: at over ones */
        for (int i = 0; i < ones; i++)
            without = without * (uint64_t)(at - i > 0 ? at - i : 0) / (uint64_t)(i + 1);
        if (number < without)
            continue;
        number -= (uint32_t)without;
        word |= 1u << at;
        ones--;
    }
    return word;
}

void uno_keeper_together(struct uno_keeper *keeper) {
    enum { WORDS = 8 };
    struct uno_call *mine = &keeper->mine;
    uint32_t code = balanced(mine->signature * WORDS + (uint32_t)((mine->bits + 63) / 64));
    if ((uint32_t)carry(keeper, true, code, CODE) == code) {
        for (int k = 0; k < UNO_BOARD_PES; k++)
            if (keeper->all >> k & 1)
                keeper->announced[k] = *mine;
    } else {
        announce(keeper, keeper->all);
        uno_keeper_compare(keeper);
    }
    operate_complete(keeper);
}

/* ---- the round ----------------------------------------------------------------------------------------- */

/* Return true if the PE takes part in the interrupt now: it is in an operation, or sleeps in a receive. */
static bool stops(const struct uno_keeper *keeper) {
    const struct uno_pe *pe = keeper->pe;
    /* SYNC REST: not needed here */
    return keeper->mine.mask || keeper->done ||
           uno_load64_acquire(&uno_job_rest(pe->job, pe->job->n, pe->me)->number) % 2;
}

bool uno_keeper_stops_next(const struct uno_keeper *keeper) {
    return keeper->pending && !(keeper->acknowledged & own(keeper)) && stops(keeper);
}

static void end_interrupt(struct uno_keeper *keeper) {
    if (!keeper->pending || keeper->live & ~keeper->acknowledged)
        return;
    pthread_mutex_lock(&keeper->lock);
    keeper->cause[keeper->causes++ % UNO_BOARD_CAUSES] = keeper->pending;
    pthread_mutex_unlock(&keeper->lock);
    keeper->pending = keeper->acknowledged = 0;
    uno_keeper_answer(keeper);
}

/* Return true if the PE's operation goes by announcement, and has not been announced. */
bool uno_keeper_announces(const struct uno_keeper *keeper) {
    uint32_t mask = keeper->mine.mask;
    return mask && mask != keeper->all && mask != own(keeper) && !keeper->done &&
           !keeper->announced[keeper->me].mask;
}

void uno_keeper_note_missing(struct uno_keeper *keeper) {
    const struct uno_call *mine = &keeper->mine;
    uint32_t missing = 0;
    for (int k = UNO_BOARD_PES - 1; k >= 0 && mine->mask != keeper->all && !keeper->done; k--)
        if (k != keeper->me && mine->mask >> k & 1 && keeper->announced[k].mask != mine->mask)
            missing = (uint32_t)k + 1;
    uno_store32_relaxed(&keeper->missing, missing);
}

void uno_keeper_talk(struct uno_keeper *keeper) {
    uint64_t raises = uno_load64_relaxed(&keeper->raises);
    bool raised = raises != uno_load64_relaxed(&keeper->raised);
    uno_keeper_roll(keeper);
    keeper->pending |= uno_keeper_step(keeper, raised ? own(keeper) : 0);
    keeper->acknowledged |= uno_keeper_step(keeper, uno_keeper_stops_next(keeper) ? own(keeper) : 0);
    keeper->live &= ~uno_keeper_step(keeper, keeper->leaving ? own(keeper) : 0);
    announce(keeper, uno_keeper_step(keeper, uno_keeper_announces(keeper) ? own(keeper) : 0));
    uno_store64_relaxed(&keeper->raised, raises);
    uno_kernel_wake(&keeper->raised);
    end_interrupt(keeper);
    uno_keeper_compare(keeper);
    operate_complete(keeper);
    uno_keeper_note_missing(keeper);
}
