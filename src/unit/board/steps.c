/* Steps at the pins, and what a keeper finds when another one does not follow. */

#include <stdarg.h>
#include <stdio.h>

#include "engine/bell.h"
#include "engine/mask.h"
#include "steps.h"

#define PATIENCE_NS ((uint64_t)1500 * 1000 * 1000) /* keepers do nothing else, and answer within ms */
#define LOOK_NS ((uint64_t)50 * 1000)              /* between looks at a real port, after the first ones */
#define BELL_NS ((uint64_t)50 * 1000 * 1000)
enum { EAGER_LOOKS = 200 };

static void gone(struct uno_keeper *keeper) {
    uno_keeper_fail(keeper, "%s: the port is gone", keeper->pins.name);
}

static void count(struct uno_keeper *keeper) {
    if (keeper->pins.operations)
        uno_store64_relaxed(keeper->pins.operations, uno_load64_relaxed(keeper->pins.operations) + 1);
}

void uno_keeper_hold(struct uno_keeper *keeper, unsigned pulled, bool set) {
    keeper->lines = (~pulled & UNO_LINE_DATA) | (set ? UNO_LINE_SET : UNO_LINE_CLEAR);
    count(keeper);
    if (!keeper->pins.kind->write(&keeper->pins, keeper->lines))
        gone(keeper);
}

unsigned uno_keeper_levels(struct uno_keeper *keeper) {
    unsigned levels = 0;
    count(keeper);
    if (!keeper->pins.kind->read(&keeper->pins, &levels))
        gone(keeper);
    return levels;
}

uint64_t uno_keeper_rest(struct uno_keeper *keeper, uint64_t ticket, unsigned looks) {
    const uint64_t most = 2 * BELL_NS;
    uint64_t began = uno_kernel_now();
    if (keeper->pins.kind->rings)
        uno_kernel_sleep(keeper->pins.bell, ticket, BELL_NS);
    else if (looks > EAGER_LOOKS)
        uno_kernel_sleep(keeper->pins.bell, ticket, LOOK_NS);
    else
        uno_kernel_yield();
    uint64_t ns = uno_kernel_now() - began;
    return ns < most ? ns : most;
}

/* Look at the data lines for so long. Returns those that were pulled at any look, and in *always at every
 * look. */
static uint32_t watch(struct uno_keeper *keeper, uint64_t ns, uint32_t *always) {
    uint32_t ever = 0;
    *always = UNO_LEVEL_NAND;
    for (uint64_t waited = 0; waited < ns; waited += BELL_NS) {
        uno_kernel_pause(BELL_NS);
        uint32_t pulled = uno_keeper_levels(keeper) & UNO_LEVEL_NAND;
        ever |= pulled;
        *always &= pulled;
    }
    return ever;
}

/* A keeper does not follow. All that are left find so at nearly the same time. Each first pulls the line of
 * its own number, and then none: who does not answer is missing before, unless the lines that he left pulled
 * hide it; and then these are still pulled after. */
static _Noreturn void lose(struct uno_keeper *keeper, bool set) {
    uint32_t members = (keeper->live ? keeper->live : keeper->all) & ~(1u << keeper->me), always;
    char who[UNO_MASK_TEXT];
    if (uno_keeper_levels(keeper) == UNO_LEVELS_UNPLUGGED && !set)
        uno_keeper_fail(
            keeper,
            "%s: all lines from the board are high, as without a cable: it is not plugged in, or the "
            "board has no power",
            keeper->pins.name);
    uno_keeper_hold(keeper, 1u << keeper->me, set);
    watch(keeper, PATIENCE_NS / 2, &always);
    uint64_t lost[UNO_WORDS] = {members & ~watch(keeper, PATIENCE_NS, &always)};
    if (!lost[0]) {
        uno_keeper_hold(keeper, 0, set);
        watch(keeper, PATIENCE_NS * 5 / 4, &always);
        lost[0] = members & always ? members & always : members;
    }
    bool one = !(lost[0] & (lost[0] - 1));
    uno_keeper_fail(
        keeper, "%s %s does not answer at the board (%s): it was killed or stopped, or its machine is off",
        one ? "PE" : "one of the PEs", uno_mask_text(lost, 1, who), keeper->pins.name);
}

void uno_keeper_follow(struct uno_keeper *keeper, bool set) {
    uint64_t waited = 0;
    for (unsigned looks = 1;; looks++) {
        uint64_t ticket = uno_pins_ticket(keeper->pins.bell);
        if (!(uno_keeper_levels(keeper) & UNO_LEVEL_LATCH) == !set)
            return;
        waited += uno_keeper_rest(keeper, ticket, looks);
        if (waited > PATIENCE_NS)
            lose(keeper, set);
    }
}

/* The data stay until the second barrier, since others may not have read them before; and the NAND is read
 * after the latch, since the lines do not change at the same time. */
unsigned uno_keeper_step(struct uno_keeper *keeper, unsigned pulled) {
    uno_keeper_hold(keeper, pulled, true);
    uno_keeper_follow(keeper, true);
    unsigned got = uno_keeper_levels(keeper) & UNO_LEVEL_NAND;
    uno_keeper_hold(keeper, pulled, false);
    uno_keeper_follow(keeper, false);
    return got;
}

void uno_keeper_roll(struct uno_keeper *keeper) {
    enum { EACH = 3 }; /* the lines below UNO_LINE_ASK */
    uint32_t there = 0;
    for (int first = 0; keeper->all >> first; first += EACH) {
        bool now = keeper->me >= first && keeper->me < first + EACH;
        there |= (uno_keeper_step(keeper, now ? 1u << (keeper->me - first) : 0) & (UNO_LINE_ASK - 1))
                 << first;
    }
    for (int k = 0; k < UNO_BOARD_PES; k++)
        if (keeper->live & ~there & 1u << k)
            uno_keeper_fail(keeper,
                            "PE %d is not at the board any more (%s): its cable was unplugged, or it has no "
                            "power",
                            k, keeper->pins.name);
}

static void ring(struct uno_keeper *keeper) {
    uno_bell_ring(&keeper->bell, &keeper->rung);
}

void uno_keeper_fail(struct uno_keeper *keeper, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&keeper->lock);
    vsnprintf(keeper->failure, sizeof keeper->failure, format, arguments);
    keeper->trouble = UNO_TROUBLE_FAILED;
    uno_store64_relaxed(&keeper->answer, UINT64_MAX);
    pthread_mutex_unlock(&keeper->lock);
    va_end(arguments);
    uno_store32_relaxed(&keeper->over, 1);
    ring(keeper);
    pthread_exit(NULL);
}

void uno_keeper_trouble(struct uno_keeper *keeper, enum uno_trouble trouble, int other) {
    pthread_mutex_lock(&keeper->lock);
    keeper->trouble = trouble;
    keeper->other = other;
    keeper->theirs = keeper->announced[other];
    uno_store64_relaxed(&keeper->answer, keeper->taken);
    pthread_mutex_unlock(&keeper->lock);
    keeper->mine.mask = 0;
    ring(keeper);
}

void uno_keeper_answer(struct uno_keeper *keeper) {
    if (!keeper->done || keeper->pending)
        return;
    keeper->done = false;
    keeper->mine.mask = 0;
    pthread_mutex_lock(&keeper->lock);
    uno_store64_relaxed(&keeper->answer, keeper->taken);
    pthread_mutex_unlock(&keeper->lock);
    ring(keeper);
}
