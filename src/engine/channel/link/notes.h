/* Notes about messages, for programs that look at the job from outside. */

#ifndef UNO_CHANNEL_NOTES_H
#define UNO_CHANNEL_NOTES_H

#include "link.h"

/* Make a note, and return its number, by which it is forgotten later. k: UNO_WILD stands for any PE. */
int uno_channel_note(struct uno_channel *channel, enum uno_note_kind kind, int k, uint32_t context, int tag,
                     size_t bytes);
void uno_channel_forget(struct uno_channel *channel, enum uno_note_kind kind, int note);

#endif
