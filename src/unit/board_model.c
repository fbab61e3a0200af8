/* The unit at a board, and instead of the board its model: what is between the PEs are the pins of
 * rtl/board/papers_pins.v. */

#include "at_board.h"

static void begin(struct uno_pe *pe) {
    uno_pins_begin(pe, &uno_pins_model, "the modelled board");
}

const struct uno_unit uno_unit_board_model = {
    .begin = begin,
    .meet = uno_pins_meet,
    .interrupt = uno_pins_interrupt,
    .part = uno_at_board_part,
};
