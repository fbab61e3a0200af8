/* Data in other PEs' heaps, at this one's addresses. */

#ifndef UNO_CHANNEL_FOREIGN_H
#define UNO_CHANNEL_FOREIGN_H

#include "link.h"

/* The part of uno_channel_reach that is not in line. */
char *uno_channel_reach_anew(struct uno_channel *channel, int k, uint64_t at, size_t bytes);

/* Give back the addresses at which PE k's heap was reached. */
void uno_channel_let_go(struct uno_channel *channel, int k);

/* Return the address at which this PE reaches bytes that lie in PE k's heap; it is valid until the next call.
 * NULL: there is no room for them among this process's addresses, and errno says why. */
static inline char *uno_channel_reach(struct uno_channel *channel, int k, uint64_t at, size_t bytes) {
    char *there = uno_span_at(&channel->link[k].near, at, bytes);
    return UNO_LIKELY(there != NULL) ? there : uno_channel_reach_anew(channel, k, at, bytes);
}

#endif
