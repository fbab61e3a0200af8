/* A thread of a PE that watches the descriptor of its endpoint while the PE sleeps, and rings its bell when
 * something comes: so a PE sleeps in one place only, and is woken there by its neighbours and by the
 * network. It touches nothing of the endpoint but the descriptor. */

#ifndef UNO_WATCHER_H
#define UNO_WATCHER_H

#include "engine/pe.h"

struct uno_far;

/* Have the network watched while this PE sleeps, whose bell is armed; the first call starts the thread.
 * Returns false if something has come, or if nothing can be watched: then the PE looks itself. */
bool uno_far_watch(struct uno_pe *pe);

/* End the thread, if there is one. */
void uno_watcher_end(struct uno_far *far);

#endif
