#include "commands.h"

#include "engine/bell.h"
#include "engine/count.h"
#include "engine/fault.h"
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
                                 .heard = true};
    tile->counts = uno_count(&tile->counted);
    if (tile->counts) {
        uint64_t again;
        uno_count(&again);
        tile->each = again - tile->counted;
        uno_count(&tile->counted);
    }
}

bool uno_at_tile_answered(const struct uno_at_tile *tile) {
    /* SYNC ANSWER: what has come before it, and its clock */
    return uno_load64_acquire(&tile->port->answer) == tile->commands;
}

void uno_at_tile_hear(struct uno_at_tile *tile) {
    if (!tile->heard && tile->counts)
        uno_count(&tile->counted);
    tile->heard = true;
}

/* Return the instructions of the PE since the last answer, of which each is a clock. A command that ends a
 * wait has none. */
static uint64_t work(const struct uno_at_tile *tile) {
    uint64_t now;
    return tile->counts && tile->heard && uno_count(&now) ? now - tile->counted - tile->each : 0;
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

static void await_answer(struct uno_at_tile *tile) {
    uno_atomic64 *bell = &tile->port->bell;
    for (uint64_t began = uno_kernel_now();
         !uno_at_tile_answered(tile) && uno_kernel_now() - began < UNO_YIELD_NS;)
        uno_kernel_yield();
    while (!uno_at_tile_answered(tile)) {
        uno_fault_check(tile->pe, -1, UNO_SIGNATURE(UNO_OPS_MESSAGE, 0));
        uno_bell_arm(bell);
        /* SYNC BELL: the answer to this PE, or that it sleeps to the process of the mesh */
        uno_kernel_fence();
        uint64_t rung = uno_load64_relaxed(bell);
        if (!uno_at_tile_answered(tile) && uno_bell_quiet(bell))
            uno_kernel_sleep(bell, rung, UNO_SLEEP_NS);
        uno_bell_disarm(bell);
    }
}

void uno_at_tile_carry_out(struct uno_at_tile *tile, enum uno_command what, unsigned count) {
    uno_at_tile_begin(tile, what, count);
    await_answer(tile);
    uno_at_tile_hear(tile);
}
