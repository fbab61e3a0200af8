/* The parallel interrupt of PEs that share memory. Any PE may raise one, and it is then pending at every PE.
 * Each acknowledges it in the operation that it is in, or in its next one; when all that have not left have
 * acknowledged, it is over, and each runs its handler before that operation ends. An interrupt that is raised
 * before that moment is the same one, a later one is the next; so none is lost.
 *
 * A PE that is not interrupted pays nothing: a pending interrupt shows in the word in which other PEs count
 * themselves while they sleep until it posts, which it looks at in every post anyway. */

#ifndef UNO_INTERRUPT_H
#define UNO_INTERRUPT_H

#include "pe.h"

/* The mark of an interrupt in `parked` of a board, beside the number of sleepers. */
#define UNO_INTERRUPTED ((uint32_t)1 << 31)

/* Raise an interrupt: the `interrupt` function of struct uno_unit. */
void uno_interrupt_raise(struct uno_pe *pe);

/* Run the handler of an interrupt that is over, and acknowledge one that is pending. The PE calls this where
 * it finds UNO_INTERRUPTED on its board, and while pe->stopped. Does not block; uno_wait_interrupt does. */
void uno_interrupt_acknowledge(struct uno_pe *pe);

/* Return the first PE that has not acknowledged the interrupt; -1: it is over. Called while pe->stopped. */
int uno_interrupt_missing(struct uno_pe *pe);

#endif
