/* The reader's part of a long message from another node: where it wants the data (placed/placed.h). */

#ifndef UNO_CHANNEL_PLACES_H
#define UNO_CHANNEL_PLACES_H

#include "link.h"

/* Tell PE k where the message goes that is coming from it, and that a receive has asked for, if PE k is on
 * another node and enough of the message has not come yet. */
void uno_far_place_tell(struct uno_channel *channel, int k);

/* All of it has come: nobody may write there any more. */
void uno_far_place_end(struct uno_channel *channel, int k);

#endif
