/* The parallel interrupt of PEs that share memory. Whoever raises one, it is pending at every PE; each
 * acknowledges it in the operation that it is in, or in its next one, and when all that have not left have,
 * it is over, and each runs its handler before that operation ends. What is raised before that moment belongs
 * to this interrupt, what is raised later to the next; so none is lost.
 *
 * A PE that is not interrupted pays nothing: that there is something shows in the word in which others tell
 * it that they sleep until it posts, and which it looks at in every post anyway. */

#ifndef UNO_INTERRUPT_H
#define UNO_INTERRUPT_H

#include "pe.h"

/* In `parked` of a board, beside the number of sleepers. */
#define UNO_INTERRUPTED ((uint32_t)1 << 31)

/* As struct uno_unit's interrupt. */
void uno_interrupt_raise(struct uno_pe *pe);

/* To be called by the PE where it finds UNO_INTERRUPTED on its board, and while pe->stopped: runs the handler
 * of an interrupt that is over, and acknowledges one that is pending. Does not block; uno_wait_interrupt
 * does. */
void uno_interrupt_acknowledge(struct uno_pe *pe);

/* While pe->stopped: the first PE that has not acknowledged it, too; -1: it is over. */
int uno_interrupt_missing(struct uno_pe *pe);

#endif
