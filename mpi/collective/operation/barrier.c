#include "collective/operation/collective.h"
#include "collective/transport/plan.h"
#include "collective/transport/slots.h"

bool uno_barrier(struct uno_comm *c) {
    if (UNO_UNLIKELY(!uno_plan_takes(c, UNO_MPI_BARRIER, 1)))
        return false;
    uno_board_meet(uno_comm_pe(c), uno_comm_signature(c, UNO_MPI_BARRIER, 0), uno_slots_words, 1);
    uno_slots_end(c);
    return true;
}
