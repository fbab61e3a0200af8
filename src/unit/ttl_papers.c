/* TTL_PAPERS, simulated: one barrier, and the NAND of 4 bits of all, which follows its lines. */

#include "engine/rendezvous.h"
#include "simulated.h"

const struct uno_unit uno_unit_ttl_papers = {
    .begin = uno_rtl_begin,
    .meet = uno_static_meet,
    .leave = uno_board_leave,
    .interrupt = uno_rtl_interrupt,
    .part = uno_simulated_part,
};
