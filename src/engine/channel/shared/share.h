/* A long message is copied by both PEs at once, if its reader is at it: the writer begins at its front, the
 * reader at its end, each straight from the writer's data to where the reader wants them, until they meet. So
 * it is copied once, by two processors. Where the reader is not there, or the kernel does not let them reach
 * each other's memory, the writer goes on with pieces.
 *
 * The writer opens such a message with a line of the ring; which parts of it have been begun, from both ends,
 * stands in one word, and who begins one changes that. */

#ifndef UNO_CHANNEL_SHARE_H
#define UNO_CHANNEL_SHARE_H

#include "engine/channel/link/link.h"

/* The writer: all of it. Returns when the data may be changed. Whether the reader has joined; if not, all has
 * gone in pieces. */
bool uno_share_send(const struct uno_sending *s);

#endif
