#include "notes.h"

static void count(struct uno_box *box, enum uno_note_kind kind, uint64_t more) {
    uno_store64_relaxed(&box->count[kind], uno_load64_relaxed(&box->count[kind]) + more);
    uno_store64_relaxed(&box->changes, uno_load64_relaxed(&box->changes) + 1);
}

int uno_channel_note(struct uno_channel *channel, enum uno_note_kind kind, int k, uint32_t context, int tag,
                     size_t bytes) {
    struct uno_box *box = channel->box;
    count(box, kind, 1);
    if (!channel->note)
        channel->note = uno_channel_memory(channel, malloc(UNO_NOTES * sizeof *channel->note));
    if (!channel->notes && channel->notes_made == UNO_NOTES)
        return UNO_NOTE_NONE;
    uint32_t number = channel->notes ? channel->note[--channel->notes] : channel->notes_made++;
    struct uno_note *note = &uno_mail_notes(&channel->mail, channel->pe->me)[number];
    /* SYNC NOTE: stamp 0 */
    uno_store64_release(&note->peer, (uint64_t)context << 32 | (uint64_t)(k + 1));
    uno_store64_release(&note->tag, (uint64_t)((int64_t)tag + 1));
    uno_store64_release(&note->bytes, bytes);
    /* SYNC STAMP: peer, tag and bytes */
    uno_store64_release(&note->stamp, ++channel->notes_ever << 2 | ((uint64_t)kind + 1));
    uno_store64_relaxed(&box->noted, channel->notes_made);
    return (int)number;
}

void uno_channel_forget(struct uno_channel *channel, enum uno_note_kind kind, int note) {
    count(channel->box, kind, (uint64_t)-1);
    if (note == UNO_NOTE_NONE)
        return;
    uno_store64_relaxed(&uno_mail_notes(&channel->mail, channel->pe->me)[note].stamp, 0);
    channel->note[channel->notes++] = (uint32_t)note;
}
