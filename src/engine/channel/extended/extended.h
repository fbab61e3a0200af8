/* The extended protocol, as vertex.h describes it. name: the function that was called. */

#ifndef UNO_CHANNEL_EXTENDED_H
#define UNO_CHANNEL_EXTENDED_H

#include "engine/channel/link/link.h"

void uno_channel_extend(struct uno_channel *channel, int k, const char *name);
void uno_channel_unextend(struct uno_channel *channel, int k, const char *name);

/* Send the same data to several PEs. */
void uno_channel_send_agreed(struct uno_channel *channel, const int *pes, int count, const void *data,
                             size_t bytes, int *flag, const char *name);

void uno_channel_request(struct uno_channel *channel, int k, void *data, size_t bytes, int *flag,
                         const char *name);

/* Wait until the flag of one of these is 1. */
void uno_channel_await(struct uno_channel *channel, const int *flag, unsigned signature, const char *name);

#endif
