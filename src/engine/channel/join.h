/* The reader's part of a message that both PEs copy: share.h. */

#ifndef UNO_CHANNEL_JOIN_H
#define UNO_CHANNEL_JOIN_H

#include "link.h"

/* To this PE a message has been opened by PE k, whose data go to link->to: copy what is left for it to do.
 * Whether that was all of it; otherwise the writer tells by a line when all of it is there. */
bool uno_share_join(struct uno_channel *channel, int k, const struct uno_piece *opened);

#endif
