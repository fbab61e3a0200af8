/* How a PE goes on with its messages, and waits for those of others. */

#ifndef UNO_CHANNEL_PROGRESS_H
#define UNO_CHANNEL_PROGRESS_H

#include "engine/wait.h"
#include "link.h"

/* Take in everything that has come, and deliver what can be. Whether anything moved. */
bool uno_channel_progress(struct uno_channel *channel);

/* With more PEs than processors, before such a step: whether something has come from PE k (UNO_WILD: any)
 * while it was worth while to look for it and keep the processor. */
bool uno_channel_poll(struct uno_channel *channel, const struct uno_wait *wait, int k);

/* One step of waiting for PE k (UNO_WILD: any): to be called each time that uno_channel_progress has found
 * nothing. Sets wait->left when the PE, or every other one, has left. */
void uno_channel_wait_step(struct uno_channel *channel, struct uno_wait *wait, int k, int tag,
                           unsigned signature);

void uno_channel_wait_end(struct uno_channel *channel, struct uno_wait *wait);

#endif
