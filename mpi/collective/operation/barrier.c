#include "collective/operation/collective.h"
#include "collective/transport/plan.h"
#include "collective/transport/unit.h"

bool uno_barrier(struct uno_comm *c) {
    if (UNO_UNLIKELY(!uno_plan_takes(c, UNO_MPI_BARRIER, 1) && !c->unit))
        return false;
    uno_barrier_as(c, uno_comm_signature(c, UNO_MPI_BARRIER, 0));
    return true;
}

void uno_barrier_as(const struct uno_comm *c, unsigned signature) {
    if (UNO_UNLIKELY(c->unit != NULL)) {
        uno_unit_barrier(c, signature);
        return;
    }
    uno_board_meet(uno_comm_pe(c), signature, uno_slots_words, 1);
    uno_slots_end(c);
}
