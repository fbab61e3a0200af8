/* A thread of a PE that watches the descriptor of its endpoint while the PE sleeps, and rings its bell when
 * something comes: so a PE sleeps in one place only, and is woken there by its neighbours and by the
 * network. It touches nothing of the endpoint but the descriptor. */

#ifndef UNO_WATCHER_H
#define UNO_WATCHER_H

#include <stdbool.h>

#include "engine/atomic.h"

struct uno_watcher;

/* Have a descriptor watched until it is readable, and this bell then rung, which is armed. The first call,
 * with *watcher NULL, starts the thread. Returns false if that cannot be done. */
bool uno_watcher_watch(struct uno_watcher **watcher, int descriptor, uno_atomic64 *bell);

/* End the thread, if there is one. */
void uno_watcher_end(struct uno_watcher **watcher);

#endif
