/* Standard messages that are copied twice: by their writer to buffers of its pool, which lines of the ring
 * name, and from there by their reader. */

#ifndef UNO_CHANNEL_PIECES_H
#define UNO_CHANNEL_PIECES_H

#include "engine/channel/link/link.h"

/* Send bytes from `done` to before `end` of the message in pieces, the first of which is of that kind. May
 * wait. */
void uno_channel_send_pieces(const struct uno_sending *s, unsigned first, size_t done, size_t end);

#endif
