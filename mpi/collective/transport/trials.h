/* Large blocks go one of two ways, copied once by the system (single.h) or twice in pieces (exchange.h).
 * Which is faster depends on the machine: two processors that share a core have a piece in a cache of both,
 * and copy it in a fifth of the time that the system takes; processors further apart do not. So each
 * communicator tries both on its own operations, for each operation and power of two of bytes, and keeps the
 * faster:
 *
 *     uno_ways_begin(c, op);     ... uno_single_takes(c, op, bytes, piece) ...     uno_ways_end(c, op,
 * bytes);
 *
 * A trial is UNO_WAYS_TRIES operations in pieces and as many in one copy, in turn. Before each of them the
 * ranks meet, so that none is timed that waits for another rank's work; at the end each tells its least time
 * of either way, and that of the slowest counts. So all ranks decide alike, from the same numbers.
 *
 * With more ranks than processors there is no trial: what counts there is the number of meetings. */

#ifndef UNO_WAYS_H
#define UNO_WAYS_H

#include "accelerator/host/comm.h"

enum {
    UNO_WAYS_TRIES = UNO_SLOTS + 2, /* whose buffers must have been touched once, which takes long */
    UNO_WAYS_FIRST = 256,           /* large operations until the next trial, */
    UNO_WAYS_MOST = 4096            /* twice as many after each trial in which nothing has changed */
};

/* To be called by all ranks: before the operation, and when it is done, with the bytes of the largest block.
 */
void uno_ways_begin(const struct uno_comm *c, enum uno_op op);
void uno_ways_end(const struct uno_comm *c, enum uno_op op, size_t bytes);

#endif
