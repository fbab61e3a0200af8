/* Steps that all keepers take at the same time, at the pins; and the keeper's word to its PE. All of these
 * are called in the keeper's thread. */

#ifndef UNO_KEEPER_STEPS_H
#define UNO_KEEPER_STEPS_H

#include "state.h"

/* Pull these data lines in a step that all keepers take part in, and return those that anyone has pulled.
 * Ends the thread, with a failure for its PE, when a keeper does not follow. */
unsigned uno_keeper_step(struct uno_keeper *keeper, unsigned pulled);

/* Drive the lines: pull these data lines, and hold one strobe or the other. */
void uno_keeper_hold(struct uno_keeper *keeper, unsigned pulled, bool set);

/* Return the five lines. */
unsigned uno_keeper_levels(struct uno_keeper *keeper);

/* Wait until the latch has followed the strobe. Keepers do so at once. */
void uno_keeper_follow(struct uno_keeper *keeper, bool set);

/* Sleep until the bell has another number than the ticket's, or it is time to look. Returns the ns that have
 * passed; at most a few looks' worth, so that a process that was stopped does not take its own pause for that
 * of others. */
uint64_t uno_keeper_rest(struct uno_keeper *keeper, uint64_t ticket, unsigned looks);

/* Call the roll: end with a failure if a PE that has not left is not there. */
void uno_keeper_roll(struct uno_keeper *keeper);

/* End the thread, with a failure that the PE reports. */
void uno_keeper_fail(struct uno_keeper *keeper, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* Tell the PE of trouble with another one. */
void uno_keeper_trouble(struct uno_keeper *keeper, enum uno_trouble trouble, int other);

/* End the PE's operation for it, unless an interrupt is not over. */
void uno_keeper_answer(struct uno_keeper *keeper);

#endif
