/* The tiles of a simulated mesh with a PAPERS1 beside the network, of which each tile has the registers, too.
 * Operations go by the unit, and messages and interrupts by the network. */

#include "engine/channel/far/interrupt.h"
#include "engine/far/far.h"
#include "engine/observe.h"
#include "mesh/beside.h"
#include "simulated.h"

static void begin(struct uno_pe *pe) {
    uno_unit_mesh.begin(pe);
    uno_mesh_open_beside(pe);
}

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    uno_far_interrupt_look(pe, signature);
    const void *const *data = uno_rtl_meet(pe, signature, in, words, &uno_papers1_ways);
    if (pe->job->observe && p_heard && pe->board->awaited != pe->me)
        p_heard(pe->board->awaited);
    return data;
}

static void part(struct uno_pe *pe) {
    uno_rtl_end(pe);
    pe->rtl = NULL;
    uno_unit_mesh.part(pe);
}

const struct uno_unit uno_unit_mesh_papers1 = {
    .begin = begin,
    .meet = meet,
    .interrupt = uno_far_interrupt_raise,
    .part = part,
};
