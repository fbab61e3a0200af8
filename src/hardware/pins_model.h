/* The pins of a board for UNO_BOARD_PES PEs, rtl/board/papers_pins.v, compiled into a program by Verilator.
 */

#ifndef UNO_PINS_MODEL_H
#define UNO_PINS_MODEL_H

#ifdef __cplusplus
extern "C" {
#endif

struct uno_pins_model;

struct uno_pins_model *uno_pins_model_make(void);

/* Set the eight lines from PE k, for the present clock and later ones. */
void uno_pins_model_drive(struct uno_pins_model *model, int k, unsigned lines);

/* Go on to the next clock. */
void uno_pins_model_clock(struct uno_pins_model *model);

/* Return the five lines to PE k. */
unsigned uno_pins_model_levels(const struct uno_pins_model *model, int k);

#ifdef __cplusplus
}
#endif

#endif
