/* The function that the units at a board share, beside their ports. */

#ifndef UNO_AT_BOARD_H
#define UNO_AT_BOARD_H

#include "board/meet.h"
#include "unit/unit.h"

/* The `part` function of struct uno_unit: the join of the unit of processes has made the PE, and on several
 * machines the begin of that of nodes has made more of it. */
static inline void uno_at_board_part(struct uno_pe *pe) {
    uno_pins_end(pe);
    (pe->nodes ? &uno_unit_nodes : &uno_unit_shm)->part(pe);
}

#endif
