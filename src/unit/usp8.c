/* USP8, simulated: one barrier, and the NAND of 4 bits of all in a register. */

#include "engine/rendezvous.h"
#include "simulated.h"

const struct uno_unit uno_unit_usp8 = {
    .begin = uno_rtl_begin,
    .meet = uno_static_meet,
    .leave = uno_board_leave,
    .interrupt = uno_rtl_interrupt,
    .part = uno_simulated_part,
};
