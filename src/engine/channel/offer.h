/* A long message whose sender does not wait: its data stay where they are until its reader copies them, and
 * the answer that it asks for (answers.h) says that it has. pull.h is the reader's part. */

#ifndef UNO_CHANNEL_OFFER_H
#define UNO_CHANNEL_OFFER_H

#include "link.h"

/* Whether a message of so many bytes to PE k is better offered than shared (share.h). While this PE has
 * receives posted it is likely to copy what comes, and cannot copy its own messages as well. With more PEs
 * than processors its reader mostly comes when all of it has been sent. */
bool uno_offer_pays(struct uno_channel *channel, int k, size_t bytes);

/* Offer it. The data may be changed when *answer is done, which must stay where it is until then;
 * uno_channel_finish waits for it. */
void uno_offer_send(struct uno_channel *channel, int k, uint64_t word, const void *data, size_t bytes,
                    struct uno_receive *answer, unsigned signature);

#endif
