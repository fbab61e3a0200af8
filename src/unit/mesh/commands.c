#include "commands.h"

#include "engine/bell.h"
#include "engine/count.h"
#include "engine/fault.h"
#include "engine/interrupt.h"
#include "engine/kernel.h"
#include "engine/signature.h"
#include "engine/tuning.h"

void uno_at_tile_open(struct uno_at_tile *tile, struct uno_pe *pe) {
    struct uno_ports *ports = uno_ports(pe->job);
    *tile = (struct uno_at_tile){.pe = pe,
                                 .ports = ports,
                                 .port = &ports->port[pe->me],
                                 .inbox = uno_inbox(ports, pe->n, pe->me),
                                 .columns = ports->side[0],
                                 .heard = true,
                                 .waits = UNO_COMMAND_WAIT};
    tile->counts = uno_count(&tile->counted);
    if (tile->counts) {
        uint64_t again;
        uno_count(&again);
        tile->each = again - tile->counted;
        uno_count(&tile->counted);
    }
}

bool uno_at_tile_answered(const struct uno_at_tile *tile) {
    /* SYNC ANSWER: what has come before it */
    return uno_load64_acquire(&tile->port->answer) == tile->commands;
}

/* Return the instructions of the PE since the last answer, of which each is a clock. A command that ends a
 * wait has none. */
static uint64_t work(const struct uno_at_tile *tile) {
    uint64_t now;
    return tile->counts && tile->heard && uno_count(&now) ? now - tile->counted - tile->each : 0;
}

void uno_at_tile_set_timeless(struct uno_at_tile *tile, bool timeless) {
    uint64_t now;
    if (!tile->counts || !uno_count(&now))
        return;
    if (timeless)
        tile->left = now;
    else if (tile->counted <= tile->left) /* otherwise an interrupt came between, which took its time */
        tile->counted += now - tile->left + tile->each;
}

void uno_at_tile_begin(struct uno_at_tile *tile, enum uno_command what, unsigned count) {
    tile->port->what = what;
    tile->port->count = count;
    tile->inbox->work = work(tile);
    tile->heard = false;
    /* SYNC COMMAND: the words */
    uno_store64_release(&tile->port->command, ++tile->commands);
    uno_bell_ring(&tile->ports->bell, &tile->rung);
}

/* Return true if a wait may be in vain: nothing is on its way, the job has failed, or an interrupt is to be
 * handled first. */
static bool is_vain(const struct uno_at_tile *tile) {
    /* SYNC FAULT: not needed here */
    return uno_load32_relaxed(&tile->ports->still) ||
           uno_load32_acquire(&tile->pe->job->fault) == UNO_FAULT ||
           uno_load32_relaxed(&tile->pe->board->parked) & UNO_INTERRUPTED;
}

/* Sleep until the answer is there, or for a while. Between sleeps the bell stays armed, so that they cost one
 * fence. */
static void sleep_until_answered(struct uno_at_tile *tile) {
    uno_atomic64 *bell = &tile->port->bell;
    if (!uno_bell_quiet(bell)) {
        uno_bell_arm(bell);
        /* SYNC BELL: the answer to this PE, or that it sleeps to the process of the mesh */
        uno_kernel_fence();
    }
    uint64_t rung = uno_load64_relaxed(bell);
    if (!uno_at_tile_answered(tile) && uno_bell_quiet(bell))
        uno_kernel_sleep(bell, rung, UNO_SLEEP_NS);
}

/* Return true when the answer is there; false as uno_at_tile_await. */
static bool comes(struct uno_at_tile *tile, bool unless_vain, uint64_t began) {
    while (!uno_at_tile_answered(tile)) {
        if (unless_vain && is_vain(tile))
            return false;
        if (!unless_vain)
            uno_fault_check(tile->pe, -1, UNO_SIGNATURE(UNO_OPS_MESSAGE, 0));
        if (uno_kernel_now() - began < UNO_YIELD_NS)
            uno_kernel_yield();
        else
            sleep_until_answered(tile);
    }
    return true;
}

bool uno_at_tile_await(struct uno_at_tile *tile, bool unless_vain) {
    uno_atomic64 *since = &tile->pe->board->since;
    bool shown = unless_vain && !uno_load64_relaxed(since); /* to those who look from outside */
    uint64_t now = uno_kernel_now();
    if (shown)
        uno_store64_relaxed(since, now);
    bool answered = comes(tile, unless_vain, now);
    if (shown)
        uno_store64_relaxed(since, 0);
    if (!answered)
        return false;
    uno_bell_disarm(&tile->port->bell);
    if (!tile->heard && tile->counts)
        uno_count(&tile->counted);
    tile->heard = true;
    return true;
}

void uno_at_tile_carry_out(struct uno_at_tile *tile, enum uno_command what, unsigned count) {
    uno_at_tile_begin(tile, what, count);
    uno_at_tile_await(tile, false);
}
