/* The lines that this PE sends, which are in the rings, or queued until there is room, and the buffers of the
 * pool that they name. Nothing here waits. */

#ifndef UNO_CHANNEL_QUEUE_H
#define UNO_CHANNEL_QUEUE_H

#include "link.h"

/* Put queued lines into the rings that have room. Returns true if any could be put there. */
bool uno_channel_deliver(struct uno_channel *channel);

/* Make buffers free that readers have finished with. Returns true if there were any. */
bool uno_channel_reclaim(struct uno_channel *channel);

/* Do both for PE k alone. */
void uno_channel_follow(struct uno_channel *channel, int k);

/* Find what readers have made free, of all that this PE may be waiting for: buffers, which become free here,
 * too; room in the ring that is being filled; the data of a message that both copy. */
void uno_channel_find_room(struct uno_channel *channel);

/* Cut the next piece, of bytes from `done` to before `end` at most, of a message of `total` bytes at `data`:
 * copied to a buffer, which the line then names, as the piece does. Returns false if the pool has no room for
 * the piece; it always has room for one piece, however small the pool is. */
bool uno_channel_cut(struct uno_channel *channel, const char *data, size_t total, size_t done, size_t end,
                     struct uno_piece *piece, struct uno_put *line);

/* Put a line into the ring to PE k, if there is room. */
bool uno_channel_put_now(struct uno_channel *channel, int k, const struct uno_put *line);

/* Queue a line, of a standard message of `total` bytes. */
void uno_channel_queue_line(struct uno_channel *channel, int k, const struct uno_put *line, size_t total);

/* Put a line into the ring, or queue it if there is no room. */
void uno_channel_put_line(struct uno_channel *channel, int k, const struct uno_put *line);

/* Queue data of the program, to be sent in pieces: the first one, and the others, of these kinds. */
void uno_channel_queue_data(const struct uno_sending *s, unsigned first, unsigned more,
                            struct uno_completion *completion);

/* Before the first message to PE k: let it look at the ring from this PE from now on. */
void uno_channel_become_known(struct uno_channel *channel, int k);

#endif
