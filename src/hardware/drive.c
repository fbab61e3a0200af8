#include "drive.h"

#include "engine/bell.h"
#include "engine/process.h"
#include "engine/tuning.h"
#include "unit/rtl/port.h"

/* A PE that has slept so long elsewhere, say in a read, may sleep until others go on: they do so without it.
 * A PE that computes, or that is not run, is waited for, whatever it takes. */
enum { AWAY_NS = 60 * 1000 * 1000, LOOK_NS = 15 * 1000 * 1000 };

static bool over(const struct uno_driven *d) {
    /* SYNC FAULT: not needed here */
    return d->empty(d->unit) || uno_load32_acquire(&d->job->fault) == UNO_FAULT;
}

/* Mark the PEs that sleep for so long. since: when each was first seen to; 0: it does not. */
static void look_for_sleepers(const struct uno_driven *d, uint64_t *since) {
    uint64_t now = uno_kernel_now();
    for (int k = 0; k < d->job->n; k++) {
        const struct uno_board *board = &d->job->board[k];
        char state;
        pid_t parent;
        bool idle = d->idle(d->unit, k) && uno_load32_relaxed(&board->state) == UNO_JOINED;
        bool sleeps = idle && uno_process_look(board->pid, &state, &parent) && state == 'S';
        since[k] = !sleeps ? 0 : since[k] ? since[k] : now;
        d->set_away(d->unit, k, since[k] && now - since[k] >= AWAY_NS);
    }
}

/* Wait until there is something to do, or the job is over. */
static void await(const struct uno_driven *d) {
    struct uno_ports *ports = uno_ports(d->job);
    uint64_t asleep_since[UNO_PORT_MAX_PES] = {0}, began = uno_kernel_now();
    while (!d->look(d->unit) && !over(d)) {
        if (uno_kernel_now() - began < UNO_YIELD_NS) {
            uno_kernel_yield();
            continue;
        }
        uint64_t rung = uno_load64_relaxed(&ports->bell);
        if (!uno_bell_quiet(&ports->bell)) {
            uno_bell_arm(&ports->bell);
            /* SYNC BELL: a command to this process, or that it sleeps to the PE */
            uno_kernel_fence();
            continue;
        }
        uno_kernel_sleep(&ports->bell, rung, LOOK_NS);
        look_for_sleepers(d, asleep_since);
    }
    uno_bell_disarm(&ports->bell);
}

void uno_drive(const struct uno_driven *d) {
    for (await(d); !over(d); await(d))
        d->step(d->unit);
}
