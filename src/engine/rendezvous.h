/* The rendezvous over boards: the one piece of lock-free code. rendezvous.c explains it. */

#ifndef UNO_RENDEZVOUS_H
#define UNO_RENDEZVOUS_H

#include "pe.h"

/* The functions of these names in struct uno_unit. */
const void *const *uno_board_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);
void uno_board_leave(struct uno_pe *pe);
void uno_board_part(struct uno_pe *pe);

/* The two halves of a meet, for a unit in which the members meet elsewhere in between: the first publishes
 * this PE's operation, the second checks that all members were in the same. */
void uno_board_post(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);
const void *const *uno_board_read(struct uno_pe *pe, unsigned signature, const uint64_t *in);

/* Return, between the two, the first member that has not posted; -1: all have. Ends the process if a member
 * is in another operation. */
int uno_board_missing(struct uno_pe *pe, unsigned signature);

/* Return the slot in which PE k has posted for a meet with this PE, which is waiting for PE k in another way;
 * what PE k did before is visible. -1: it has not posted. */
int uno_board_awaited_in(struct uno_pe *pe, int k);

/* Post once more, after a meet, what the other members are to be told: this PE does not wait for them. And,
 * at each of the others, wait for that post of PE k and return its data, valid until leave. A buffer goes
 * with it, as with a meet. */
void uno_board_tell(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);
const void *uno_board_told(struct uno_pe *pe, int k, unsigned signature);

/* End the process, since PE k will never come: a wait has found that it has left. */
void uno_board_left(struct uno_pe *pe, int k, unsigned signature) __attribute__((noreturn, cold));

/* End the process, since PE k will never come: it is in another operation. */
void uno_board_mismatch(struct uno_pe *pe, int k, int s, unsigned signature) __attribute__((noreturn, cold));

/* Return this PE's buffer for data of its next meet that do not fit into the words, in a job with buffers.
 * May block until the readers of the buffer's earlier content have finished. */
void *uno_board_buffer(struct uno_pe *pe);

/* Return, after a meet, the buffer that PE k of the group, or this PE, has written. Valid until leave. */
const void *uno_board_buffer_of(struct uno_pe *pe, int k);

#endif
