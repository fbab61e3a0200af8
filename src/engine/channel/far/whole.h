/* Messages that go to another node as packets of their own, past the rings.
 *
 * A standard message that finds nothing before it on its way is sent straight from its data, and one that
 * finds a receive goes straight to its place: no line is written or read. Nearly all short messages between
 * nodes go so. The message still counts as the lines that it would take, so that there is one count for what
 * is under way; where nobody has asked for it, it is put into these lines, or stays in its packet as a piece
 * that a line names, and is taken in from there. */

#ifndef UNO_CHANNEL_WHOLE_H
#define UNO_CHANNEL_WHOLE_H

#include "engine/channel/link/link.h"
#include "engine/far/far.h"

/* As of struct uno_far_link. */
bool uno_whole_send(struct uno_far_link *far, unsigned mark, uint64_t word, const void *data, size_t bytes);

/* As of far->take. */
bool uno_whole_take(struct uno_pe *pe, const struct uno_far_head *head, const char *data, size_t bytes,
                    void *packet);

#endif
