/* Messages that are coming: each goes to the receive that asks for it, or is kept until one does, and the
 * pieces of a message are put together. Nothing here waits. */

#ifndef UNO_CHANNEL_COMING_H
#define UNO_CHANNEL_COMING_H

#include "link.h"
#include "notes.h"

/* Return the posted receive that asks for a message which has just come, and take it from the table; or
 * NULL. */
static inline struct uno_receive *uno_coming_posted(struct uno_channel *channel,
                                                    const struct uno_envelope *envelope) {
    struct uno_receive *r = channel->receives.count ? uno_receives_find(&channel->receives, envelope) : NULL;
    if (r) {
        uno_receives_remove(&channel->receives, r);
        uno_channel_forget(channel, UNO_NOTE_PENDING, r->note);
    }
    return r;
}

/* Return the posted receive that asks for the message, taken from the table, or else the receive that this PE
 * waits for, if that asks for it; or NULL. */
static inline struct uno_receive *uno_coming_match(struct uno_channel *channel,
                                                   const struct uno_envelope *envelope) {
    struct uno_receive *r = uno_coming_posted(channel, envelope);
    if (r)
        return r;
    r = channel->reading;
    if (!r || !uno_envelope_matches(&r->envelope, envelope))
        return NULL;
    channel->reading = NULL;
    return r;
}

/* Keep a message that nobody has asked for, with room for its data. asks: as in struct uno_message. */
struct uno_message *uno_coming_keep(struct uno_channel *channel, const struct uno_envelope *envelope,
                                    uint64_t asks, unsigned mark, size_t bytes);

/* Find out where a message goes that has begun to come from PE k, in pieces or copied by both PEs, with the
 * line of this header, which names that piece. uno_coming_end ends it, when all of it is there. */
void uno_coming_begin(struct uno_channel *channel, int k, const struct uno_piece *piece, uint64_t header);
void uno_coming_end(struct uno_channel *channel, int k);

/* Copy a piece, which the next line from PE k names, to where the message goes, and take that line. Returns
 * true if all pieces of the message are there. */
bool uno_coming_piece(struct uno_channel *channel, int k, const struct uno_piece *piece);

/* Copy a piece from PE k to its place in the message, whose data go to `to`, as far as there is room. */
void uno_coming_copy(struct uno_channel *channel, int k, const struct uno_piece *piece, char *to,
                     size_t room);

#endif
