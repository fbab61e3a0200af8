/* Notes of messages, for those who look from outside. */

#ifndef UNO_CHANNEL_NOTES_H
#define UNO_CHANNEL_NOTES_H

#include "link.h"

/* Make one, to be forgotten by its number. k: UNO_WILD for any. */
int uno_channel_note(struct uno_channel *channel, enum uno_note_kind kind, int k, uint32_t context, int tag,
                     size_t bytes);
void uno_channel_forget(struct uno_channel *channel, enum uno_note_kind kind, int note);

#endif
