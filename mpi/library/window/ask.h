/* Memory that this rank does not reach: of ranks on other nodes, and where the kernel lets no process reach
 * that of another one. Its rank accesses it for others, whenever it is in any call of the library. An access
 * is asked for by messages (serve.h), and the caller goes on: the target does what one rank asks for in the
 * order in which that rank has asked, so that one answer at the end tells that all is done (uno_ask_finish).
 * Only what gets something has an answer of its own. */

#ifndef UNO_MPI_ASK_H
#define UNO_MPI_ASK_H

#include "library/object/op.h"
#include "library/window/spot.h"
#include "library/window/stream.h"

enum { UNO_ALL_TARGETS = -1 };

/* Store the stream in these runs. */
int uno_ask_write(const struct uno_spot *spot, const struct uno_runs *runs, const char *bytes);

/* Get these runs to the elements of spot->result. */
int uno_ask_read(const struct uno_spot *spot, const struct uno_runs *runs);

/* Combine these runs, of elements of a predefined type, with the stream; what they were goes to the elements
 * of spot->result, unless that is NULL. */
int uno_ask_combine(const struct uno_spot *spot, const struct uno_runs *runs, MPI_Op op, MPI_Datatype basic,
                    const char *bytes);

/* Store an element if the one there is equal to another; what it was goes to that of spot->result. */
int uno_ask_swap(const struct uno_spot *spot, size_t width, const void *compare, const void *with);

/* Ask a target on another node for its lock, of which a message of UNO_WIN_TURN tells; and give it back. */
void uno_ask_lock(struct uno_mpi_win *win, int target, bool exclusive);
void uno_ask_unlock(struct uno_mpi_win *win, int target, bool exclusive);

/* Wait until all is there that this rank gets from a target, or from all; there: and until all that it has
 * asked the target for is done. Returns the error of what could not be done, MPI_ERR_RMA_RANGE. The first
 * function is for windows in which ranks ask each other. */
int uno_ask_finish_asked(struct uno_mpi_win *win, int target, bool there, unsigned signature);
static inline int uno_ask_finish(struct uno_mpi_win *win, int target, bool there, unsigned signature) {
    return UNO_UNLIKELY(win->remote != NULL) ? uno_ask_finish_asked(win, target, there, signature)
                                             : MPI_SUCCESS;
}

#endif
