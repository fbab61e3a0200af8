#include "notes.h"

/* Around each change of what is shown: who looks meanwhile finds an odd number of changes, or another one
 * afterwards than before. Only this PE writes them. */
static void begin_change(struct uno_box *box) {
    uno_store64_relaxed(&box->changes, uno_load64_relaxed(&box->changes) + 1);
}

static void end_change(struct uno_box *box) {
    /* SYNC CHANGES: counts and notes */
    uno_store64_release(&box->changes, uno_load64_relaxed(&box->changes) + 1);
}

static void count(struct uno_box *box, enum uno_note_kind kind, uint64_t more) {
    /* SYNC COUNT: the odd number of changes */
    uno_store64_release(&box->count[kind], uno_load64_relaxed(&box->count[kind]) + more);
}

/* Where to write one; UNO_NOTE_NONE: there is no more room. */
static int new_note(struct uno_channel *channel) {
    if (!channel->note)
        channel->note = uno_channel_memory(channel, malloc(UNO_NOTES * sizeof *channel->note));
    if (channel->notes)
        return (int)channel->note[--channel->notes];
    return channel->notes_made == UNO_NOTES ? UNO_NOTE_NONE : (int)channel->notes_made++;
}

int uno_channel_note(struct uno_channel *channel, enum uno_note_kind kind, int k, uint32_t context, int tag,
                     size_t bytes) {
    struct uno_box *box = channel->box;
    int number = new_note(channel);
    begin_change(box);
    count(box, kind, 1);
    if (number != UNO_NOTE_NONE) {
        struct uno_note *note = &uno_mail_notes(&channel->mail, channel->pe->me)[number];
        /* SYNC NOTE (3): stamp 0, and the odd number of changes */
        uno_store64_release(&note->peer, (uint64_t)context << 32 | (uint64_t)(k + 1));
        uno_store64_release(&note->tag, (uint64_t)((int64_t)tag + 1));
        uno_store64_release(&note->bytes, bytes);
        /* SYNC STAMP: peer, tag and bytes */
        uno_store64_release(&note->stamp, ++channel->notes_ever << 2 | ((uint64_t)kind + 1));
        uno_store64_relaxed(&box->noted, channel->notes_made);
    }
    end_change(box);
    return number;
}

void uno_channel_forget(struct uno_channel *channel, enum uno_note_kind kind, int note) {
    begin_change(channel->box);
    count(channel->box, kind, (uint64_t)-1);
    if (note != UNO_NOTE_NONE) {
        /* SYNC STAMP: the odd number of changes */
        uno_store64_release(&uno_mail_notes(&channel->mail, channel->pe->me)[note].stamp, 0);
        channel->note[channel->notes++] = (uint32_t)note;
    }
    end_change(channel->box);
}
