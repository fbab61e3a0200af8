/* Several machines: PEs are processes that share memory on each node, and nodes exchange over a network. */

#include "engine/nodes.h"

#include "engine/fault.h"
#include "engine/interrupt.h"
#include "engine/mask.h"
#include "engine/rendezvous.h"
#include "unit/unit.h"

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)
        if (uno_is_far(pe->job, k))
            uno_fail(pe, "PE %d is on another node", k);
    return uno_board_meet(pe, signature, in, words);
}

static void part(struct uno_pe *pe) {
    uno_unit_first(UNO_START_run)->unit->part(pe);
}

const struct uno_unit uno_unit_nodes = {
    .meet = meet,
    .leave = uno_board_leave,
    .interrupt = uno_interrupt_raise,
    .part = part,
};
