/* Memory of another PE that is a process of its own: copied to and from by the kernel, where it allows that.
 *
 * Whether it does is found out for each pair of PEs, when it is first wanted; and once it refuses, for that
 * pair never tried again. Nobody may rely on it: what cannot be copied in this way goes in pieces. */

#ifndef UNO_CHANNEL_REACH_H
#define UNO_CHANNEL_REACH_H

#include "link.h"

/* Bytes from which the extended protocol uses it. Below, a call of the kernel takes longer than everything
 * else. */
enum { UNO_REACH_LEAST = 16 * 1024 };

/* Show the others a word of this PE's own memory, by which they see whether they reach that. */
void uno_reach_start(struct uno_channel *channel);

/* Whether it is worth while to try. */
bool uno_reach_allowed(struct uno_channel *channel, int k);

/* Copy to the memory of PE k, or from it; which has asked for it, and waits. False: not all of it was copied,
 * and nothing there may be relied on. */
bool uno_reach_write(struct uno_channel *channel, int k, uint64_t to, const void *data, size_t bytes);
bool uno_reach_read(struct uno_channel *channel, int k, uint64_t from, void *data, size_t bytes);

#endif
