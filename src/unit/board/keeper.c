/* The thread of a keeper: it waits until there is something to do for any PE, and starts and ends. */

#include "keeper.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fault.h"
#include "steps.h"
#include "talk.h"

/* Keepers talk after so long although nothing has changed; and a latch that is not as its keeper's strobe for
 * so long is not going to follow. */
#define BEAT_NS ((uint64_t)1000 * 1000 * 1000)
#define SETTLE_NS ((uint64_t)300 * 1000 * 1000)

/* The data lines in the first step of everything. */
enum {
    TOGETHER = 1, /* my PE is in an operation of all */
    TALK = 2,     /* I have something to tell, or have been asked to listen: all of us talk */
    /* I ask all to begin, with TALK or having pulled TOGETHER before; by itself it decides nothing. No keeper
     * pulls this line in the last step of anything, so it is not seen when nobody asks. */
    ASK = UNO_LINE_ASK,
};

/* Take from the PE what it wants. */
static void take(struct uno_keeper *keeper) {
    pthread_mutex_lock(&keeper->lock);
    keeper->leaving = keeper->parts;
    if (keeper->number != keeper->taken) {
        keeper->taken = keeper->number;
        keeper->mine = keeper->call;
    }
    pthread_mutex_unlock(&keeper->lock);
    if (!keeper->mine.mask || keeper->done || !keeper->live)
        return;
    for (int k = 0; k < UNO_BOARD_PES; k++)
        if (keeper->mine.mask & ~keeper->live & 1u << k) {
            uno_keeper_trouble(keeper, UNO_TROUBLE_LEFT, k);
            return;
        }
    uno_keeper_compare(keeper);
    uno_keeper_note_missing(keeper);
    if (keeper->mine.mask == 1u << keeper->me) { /* nobody else: no port operation */
        memset(keeper->word, 0, sizeof keeper->word);
        memcpy(keeper->word[0], keeper->put, sizeof keeper->put);
        keeper->putters = keeper->put[1] != 0;
        keeper->done = true;
        uno_keeper_answer(keeper);
    }
}

static bool has_to_talk(const struct uno_keeper *keeper) {
    return keeper->leaving || uno_load64_relaxed(&keeper->raises) != uno_load64_relaxed(&keeper->raised) ||
           uno_keeper_stops_next(keeper) || uno_keeper_announces(keeper);
}

static bool comes_together(const struct uno_keeper *keeper) {
    return keeper->mine.mask == keeper->all && !keeper->done && !keeper->announced[keeper->me].mask;
}

/* Wait until there is a reason to begin. Returns the lines to pull. */
static unsigned attend(struct uno_keeper *keeper) {
    uint64_t idle = 0, odd = 0;
    for (unsigned looks = 1;; looks++) {
        uint64_t ticket = uno_pins_ticket(keeper->pins.bell);
        take(keeper);
        unsigned together = comes_together(keeper) ? TOGETHER : 0;
        unsigned levels = uno_keeper_levels(keeper);
        if (has_to_talk(keeper) || idle > BEAT_NS || levels & ASK)
            return together | TALK | ASK;
        if (together)
            return together;
        uint64_t ns = uno_keeper_rest(keeper, ticket, looks);
        idle += ns;
        odd = levels & UNO_LEVEL_LATCH ? odd + ns : 0;
        if (odd > SETTLE_NS)
            uno_keeper_follow(keeper, false);
    }
}

/* Wait until all have begun. That may take until their PEs come, unless somebody has to talk. */
static void gather(struct uno_keeper *keeper, unsigned pulled) {
    uint64_t idle = 0;
    for (unsigned looks = 1; !(pulled & ASK); looks++) {
        uint64_t ticket = uno_pins_ticket(keeper->pins.bell);
        take(keeper);
        unsigned levels = uno_keeper_levels(keeper);
        if (levels & (UNO_LEVEL_LATCH | ASK))
            break;
        if (has_to_talk(keeper) || idle > BEAT_NS) {
            pulled |= ASK;
            uno_keeper_hold(keeper, pulled, true);
        }
        idle += uno_keeper_rest(keeper, ticket, looks);
    }
    uno_keeper_follow(keeper, true);
    unsigned got = uno_keeper_levels(keeper) & UNO_LEVEL_NAND;
    uno_keeper_hold(keeper, pulled, false);
    uno_keeper_follow(keeper, false);
    if (got & TALK)
        uno_keeper_talk(keeper);
    else
        uno_keeper_together(keeper);
}

/* A PE that never comes: only the launcher knows. */
static int never_comes(const struct uno_keeper *keeper) {
    struct uno_pe *pe = keeper->pe;
    for (int k = 0; k < pe->n; k++)
        /* SYNC LEFT: not needed here */
        if (k != pe->me && uno_load32_acquire(&pe->job->board[k].state) == UNO_LEFT)
            return k;
    return -1;
}

/* Call the roll until all have come. Nobody begins to leave it before he has seen all, and none of them can
 * end that step before all have begun it. */
static void assemble(struct uno_keeper *keeper) {
    uint32_t own = 1u << keeper->me;
    uno_keeper_hold(keeper, own, false);
    for (unsigned looks = 1; keeper->all & ~uno_keeper_levels(keeper); looks++) {
        uint64_t ticket = uno_pins_ticket(keeper->pins.bell);
        int absent = never_comes(keeper);
        if (keeper->all & ~uno_keeper_levels(keeper) && absent >= 0)
            uno_keeper_fail(keeper, "waits for PE %d at the board, which has left", absent);
        uno_keeper_rest(keeper, ticket, looks);
    }
    uno_keeper_step(keeper, own);
    keeper->live = keeper->all;
}

static void *keep(void *argument) {
    struct uno_keeper *keeper = argument;
    assemble(keeper);
    while (keeper->live & 1u << keeper->me) {
        unsigned pulled = attend(keeper);
        uno_keeper_hold(keeper, pulled, true);
        gather(keeper, pulled);
    }
    keeper->pins.kind->write(&keeper->pins, UNO_LINES_ABSENT);
    uno_store32_relaxed(&keeper->over, 1);
    return NULL;
}

struct uno_keeper *uno_keeper_start(struct uno_pe *pe, const struct uno_pins_kind *kind, const char *name) {
    char why[UNO_PINS_TEXT] = "";
    struct uno_keeper *keeper = calloc(1, sizeof *keeper);
    if (!keeper)
        uno_fail(pe, "p_init: out of memory");
    keeper->pe = pe;
    keeper->me = pe->me;
    keeper->all = (1u << pe->n) - 1;
    keeper->pins.kind = kind;
    keeper->pins.bell = &keeper->pins.own_bell;
    snprintf(keeper->pins.name, sizeof keeper->pins.name, "%s", name);
    pthread_mutex_init(&keeper->lock, NULL);
    if (!kind->open(&keeper->pins, pe, why))
        uno_fail(pe, "p_init: the port %s: %s", name, why);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&keeper->thread, NULL, keep, keeper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        uno_fail(pe, "p_init: cannot start a thread for the port: %s", strerror(error));
    return keeper;
}

void uno_keeper_end(struct uno_keeper *keeper) {
    pthread_mutex_lock(&keeper->lock);
    keeper->parts = true;
    pthread_mutex_unlock(&keeper->lock);
    uno_pins_ring(keeper->pins.bell);
    pthread_join(keeper->thread, NULL);
    keeper->pins.kind->close(&keeper->pins);
    pthread_mutex_destroy(&keeper->lock);
    free(keeper);
}
