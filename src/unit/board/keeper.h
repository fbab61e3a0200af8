/* The thread of a keeper, from its start to its end. */

#ifndef UNO_KEEPER_H
#define UNO_KEEPER_H

#include "state.h"

/* Open the port of that kind and start the keeper of a PE's port. Ends the process, with a message, if that
 * is impossible. */
struct uno_keeper *uno_keeper_start(struct uno_pe *pe, const struct uno_pins_kind *kind, const char *name);

/* Have the PE checked out, and free the keeper. */
void uno_keeper_end(struct uno_keeper *keeper);

#endif
