/* Which way a long message goes: copied once, by both PEs (share.h), or in pieces (send.h). Where two
 * processors share a core, pieces are copied through a cache of both, three times as fast as the system
 * copies from one process to another; where they do not, it is the other way about; and the host of a virtual
 * machine moves its processors between the two. So a writer times a few messages of each size by either way,
 * one way after the other, goes on with the faster one, and looks again later. */

#ifndef UNO_CHANNEL_WAYS_H
#define UNO_CHANNEL_WAYS_H

#include "link.h"

enum {
    /* Bytes from which one copy by the system may pay, */
    UNO_SHARE_LEAST = 8 * 1024,
    /* and with more PEs than processors, where the reader mostly comes when all of it has been written. Time
     * says nothing there. */
    UNO_SHARE_LEAST_MANY = 512 * 1024,
};

/* A message to another PE that is longer than a line takes. Returns when the data may be changed. signature:
 * with a mark, as of uno_channel_send_slowly. */
void uno_ways_send(struct uno_channel *channel, int k, uint64_t word, const char *data, size_t bytes,
                   unsigned signature);

#endif
