/* The functions that the units at a board share: they differ in what their ports are. */

#ifndef UNO_BOARD_MEET_H
#define UNO_BOARD_MEET_H

#include "pins.h"

/* Open the PE's port and start its keeper: to be called by `begin` of struct uno_unit. Ends the process, with
 * a message, if that is impossible. */
void uno_pins_begin(struct uno_pe *pe, const struct uno_pins_kind *kind, const char *name);

/* The functions of these names in struct uno_unit. */
const void *const *uno_pins_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);
void uno_pins_interrupt(struct uno_pe *pe);

/* Have the PE checked out at the board, and free what uno_pins_begin has made. Keepers answer at once, so
 * this does not wait for PEs, but for those that have not come to the board. */
void uno_pins_end(struct uno_pe *pe);

#endif
