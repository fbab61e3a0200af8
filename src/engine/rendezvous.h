/* The rendezvous over boards: the one piece of lock-free code. rendezvous.c explains it. */

#ifndef UNO_RENDEZVOUS_H
#define UNO_RENDEZVOUS_H

#include "pe.h"

/* As struct uno_unit's functions of these names. */
const void *const *uno_board_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);
void uno_board_leave(struct uno_pe *pe);
void uno_board_part(struct uno_pe *pe);

/* The two halves of a meet, for a unit that has the members meet elsewhere in between: it shows what this PE
 * is in, and finds out afterwards whether all were in the same. */
void uno_board_post(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);
const void *const *uno_board_read(struct uno_pe *pe, unsigned signature, const uint64_t *in);

/* Between the two: the first member that has not posted; -1: all have. One that is in something else ends the
 * process. */
int uno_board_missing(struct uno_pe *pe, unsigned signature);

/* For those who wait for PE k in another way than by a meet: the slot in which it has posted for a meet with
 * this PE, which has not come there; what it did before is visible. -1: it has not. */
int uno_board_awaited_in(struct uno_pe *pe, int k);

/* It never will, for it has left, as a wait has found: ends the process. */
void uno_board_left(struct uno_pe *pe, int k, unsigned signature) __attribute__((noreturn, cold));

/* It never will, for it is in something else: ends the process. */
void uno_board_mismatch(struct uno_pe *pe, int k, int s, unsigned signature) __attribute__((noreturn, cold));

/* In a job with buffers: where this PE may write, before its next meet, what does not fit into the words.
 * May block, until the readers of what was there have finished. */
void *uno_board_buffer(struct uno_pe *pe);

/* After a meet: what PE k of the group, or this PE, had written into its buffer. Valid until leave. */
const void *uno_board_buffer_of(struct uno_pe *pe, int k);

#endif
