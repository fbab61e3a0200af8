/* The matching of receives with messages, by context, source and tag; a receive may ask for any source and
 * any tag. Tables hold the messages that nobody has asked for yet, and the receives whose message has not
 * come. There may be tens of thousands of both. */

#ifndef UNO_CHANNEL_MATCH_H
#define UNO_CHANNEL_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UNO_WILD = -1,
    UNO_WAYS = 4, /* ways to ask for a message: of any source (1), of any tag (2) */
};

struct uno_envelope {
    uint32_t context; /* messages of one context are never received in another */
    int32_t source;
    int32_t tag;
};

/* A message that has come, or begun to, before it was asked for. Its data follow the structure. */
struct uno_message {
    struct uno_message *next[UNO_WAYS], *before[UNO_WAYS]; /* in the chain of each way to ask for it */
    struct uno_envelope envelope;
    int note;                   /* of memory.h */
    uint16_t mark;              /* of channel.h */
    uint64_t asks;              /* it asks for an answer with that number (answers.h); 0: for none */
    uint64_t at;                /* where its data are at its sender, which offers them; 0: it has sent them */
    struct uno_receive *pulled; /* the receive that gets offered data in pieces (pull.h), or NULL */
    struct uno_receive *later;  /* the receive that was posted since for offered data (kept.h), or NULL */
    size_t bytes, got;          /* bytes of its data; got: those that have come */
    char data[];
};

/* A receive, or the answer to a message that asks for one (answers.h). envelope: what is asked for, until it
 * is done; then what has come. */
struct uno_receive {
    struct uno_receive *next, *before;
    struct uno_envelope envelope;
    bool done;
    bool posted;    /* it is in the table */
    uint16_t mark;  /* of the message, once it has begun to come: uno_channel_send_marked */
    int note;       /* of memory.h */
    uint64_t order; /* when it was posted; of an answer its number */
    void *data;
    size_t room;  /* bytes of data */
    size_t bytes; /* of the message, once it is done */
};

struct uno_message_chain {
    struct uno_message *first, *last;
};
struct uno_receive_chain {
    struct uno_receive *first, *last;
};

/* Hash tables, of `chains` chains, a power of two, or 0 before the first use. Receives mostly get the
 * earliest of their messages: so all stand in one chain, in the order in which they were posted, until one
 * has to be looked for that is not among the first. */
struct uno_messages {
    struct uno_message_chain *chain[UNO_WAYS];
    size_t chains, count;
};
struct uno_receives {
    struct uno_receive_chain *chain;
    size_t chains, room, count, of_way[UNO_WAYS]; /* room: chains that there is memory for */
    uint64_t posted;                              /* ever */
};

static inline bool uno_envelope_matches(const struct uno_envelope *asked,
                                        const struct uno_envelope *message) {
    return asked->context == message->context &&
           (asked->source == UNO_WILD || asked->source == message->source) &&
           (asked->tag == UNO_WILD || asked->tag == message->tag);
}

static inline size_t uno_lesser(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Complete the receive, whose message has come. */
static inline void uno_receive_complete(struct uno_receive *receive, const struct uno_envelope *envelope,
                                        size_t bytes) {
    receive->envelope = *envelope;
    receive->bytes = bytes;
    receive->done = true;
}

/* Add one behind all others. Returns true if there was memory. */
bool uno_messages_add(struct uno_messages *messages, struct uno_message *message);
bool uno_receives_add(struct uno_receives *receives, struct uno_receive *receive);

void uno_messages_remove(struct uno_messages *messages, struct uno_message *message);
void uno_receives_remove(struct uno_receives *receives, struct uno_receive *receive);

/* Return the earliest message that is asked for, or NULL. */
struct uno_message *uno_messages_find(const struct uno_messages *messages, const struct uno_envelope *asked);

/* Return the earliest receive that asks for the message, or NULL. */
struct uno_receive *uno_receives_find(struct uno_receives *receives, const struct uno_envelope *message);

/* Free the tables, and the messages that are left in them. */
void uno_messages_free(struct uno_messages *messages);
void uno_receives_free(struct uno_receives *receives);

#endif
