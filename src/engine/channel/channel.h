/* Messages between PEs: from any to any, of any length, received in the order in which they were sent, by
 * source and tag or by any. The faces above (vertex.h) give it names and rules of their own.
 *
 * A short message lies in the lines of a ring (ring.h). A longer one is cut into pieces: the sender
 * copies each into a buffer of its pool, which all PEs can reach, and a line of the ring names it; the
 * receiver copies it to where it belongs, while the sender goes on with the next. When the ring has come
 * round, the buffer is free again. So nothing has to be acknowledged.
 *
 * What finds the ring full is queued by the sender; what would exceed the pool makes the sender wait.
 * Whoever waits takes in everything that has come for it, into memory of its own: so every ring is emptied as
 * long as its reader is in any call, and senders never wait for each other in a circle. */

#ifndef UNO_CHANNEL_H
#define UNO_CHANNEL_H

#include "heap.h"
#include "match.h"
#include "memory.h"
#include "reach.h"
#include "engine/wait.h"

/* What a line of a ring is. */
enum uno_kind {
    UNO_KIND_SHORT = 1, /* a message: word: its tag and context; its data */
    UNO_KIND_FIRST,     /* the first piece of a message: likewise, and a struct uno_piece */
    UNO_KIND_MORE,      /* each further one: a struct uno_piece */
    UNO_KIND_OPENED,    /* of share.h: a message that both copy: word as above; a struct uno_piece with
                           its number for `bytes`, and its address for `at` */
    UNO_KIND_CLOSED,    /* all of it is there */
    /* of the extended protocol */
    UNO_KIND_AGREED,       /* a message: its data */
    UNO_KIND_AGREED_FIRST, /* the first piece of one: a struct uno_piece */
    UNO_KIND_AGREED_DONE,  /* a message whose data are there already: word: its length */
};

/* Names a buffer in the sender's heap. */
struct uno_piece {
    uint64_t total; /* bytes of the message */
    uint64_t bytes; /* of this piece */
    uint64_t at;    /* in the heap */
    uint64_t to;    /* in the message */
};

/* Something that waits for room in a ring: a line, whose data follow; or data of the program that are still
 * to be cut into pieces. */
struct uno_queued {
    struct uno_queued *next;
    uint64_t word;
    void *buffer; /* that the line names, or NULL */
    unsigned size, kind, bytes;
    int note;
    const char *source; /* those data; NULL: it is a line */
    size_t total, done; /* bytes of them */
    struct uno_completion *completion;
    char data[];
};

/* What is complete when several queued things are. */
struct uno_completion {
    int left;
    int *flag;
};

/* A buffer that a line of a ring names. */
struct uno_held {
    void *buffer;
    unsigned size;
};

/* What is open under the extended protocol with one other PE. */
struct uno_agreed {
    uint64_t requested, arrived, sent; /* messages, ever */
    struct {
        void *data;
        size_t bytes;
        int *flag;
    } request[UNO_REQUESTS];
};

/* What a PE has to do with one other PE. */
struct uno_link {
    struct uno_outlet out;
    struct uno_queued *first, *last;
    uint64_t rung; /* of the other's bell */
    struct uno_inlet in;
    struct uno_agreed *agreed; /* NULL before it is extended for the first time */
    bool extended;             /* this PE's end is */
    bool known;                /* the other has this PE's bit among its writers */
    bool plain;                /* that, and it is not extended */
    uint8_t waits, untried;    /* of channel.c: poll_first; in this PE's own link, when it waits for any */
    bool reads;                /* of send.c: await_reader */
    bool joined;               /* of share.h: this PE copies a part of what is coming */
    uint64_t opened, parts;    /* the same: messages to it, ever; parts of the one that is being sent */
    enum uno_reach reach;
    uint64_t reached; /* ns at which that was last seen to be its process */
    /* the message that is coming in pieces */
    struct uno_receive *direct; /* that it belongs to, or */
    struct uno_message *coming; /* that it is kept in; or neither: it is an agreed one */
    char *to;                   /* its data go here, as far as there is room */
    size_t room, total, got;
    struct uno_held *held; /* for each line of the ring to it; NULL before the first buffer */
    uint64_t reclaimed;    /* buffers of lines before this one are free again */
};

/* The PEs that the program sees, numbered from 0. */
struct uno_view {
    uint32_t context;
    int first, n;
    uint32_t around; /* the dimensions of the cubes of which this is a subcube, a bit for each */
};

struct uno_channel {
    struct uno_pe *pe;
    struct uno_mail mail;
    struct uno_box *box;
    struct uno_heap heap;
    size_t pool, pool_used; /* bytes */
    struct uno_messages messages;
    struct uno_receives receives;
    struct uno_receive *reading; /* the one that this PE waits for, after all that are posted */
    uint64_t queued[UNO_WORDS];  /* links that have queued lines */
    uint64_t holding[UNO_WORDS]; /* links whose rings name buffers */
    uint64_t asking[UNO_WORDS];  /* links with open requests */
    int turn;                    /* whose ring is looked at first */
    struct uno_view view;
    uint32_t *note; /* numbers of notes that are free */
    uint32_t notes, notes_made;
    uint64_t notes_ever;
    uint64_t sample;                 /* of reach.h */
    const struct uno_link *settling; /* of share.h: its reader is waited for */
    struct uno_link *filling;        /* room in its ring is waited for, for so many lines */
    unsigned filling_lines;
    uint64_t moves;         /* what was taken in, delivered, made free or found, counted */
    struct uno_link link[]; /* one for each PE */
};

/* The PE's channel, made at the first call. */
static inline struct uno_channel *uno_channel_of(struct uno_pe *pe);
struct uno_channel *uno_channel_start(struct uno_pe *pe);

static inline struct uno_channel *uno_channel_of(struct uno_pe *pe) {
    return UNO_LIKELY(pe->channel != NULL) ? pe->channel : uno_channel_start(pe);
}

/* Deliver what is queued, and free it. Before the PE leaves. */
void uno_channel_end(struct uno_pe *pe);

static inline uint64_t uno_channel_word(uint32_t context, int tag) {
    return (uint64_t)context << 32 | (uint32_t)tag;
}

/* The part of uno_channel_send that is not short. */
void uno_channel_send_slowly(struct uno_channel *channel, int k, uint64_t word, const void *data,
                             size_t bytes, unsigned signature);

/* Send a message to PE k, which may be this one. Returns when data may be changed. */
static inline void uno_channel_send(struct uno_channel *channel, int k, uint64_t word, const void *data,
                                    size_t bytes, unsigned signature) {
    struct uno_link *link = &channel->link[k];
    if (UNO_LIKELY(bytes <= UNO_RING_BYTES && !link->first && link->plain &&
                   uno_ring_room(&link->out, uno_ring_lines(bytes)))) {
        uno_ring_put(&link->out, UNO_KIND_SHORT, word, data, bytes);
        uno_bell_ring(&uno_mail_box(&channel->mail, k)->bell, &link->rung);
    } else {
        uno_channel_send_slowly(channel, k, word, data, bytes, signature);
    }
}

/* Receive a message, which the envelope of `receive` asks for, into receive->data: waits for it. One that is
 * longer than receive->room is cut; receive->bytes is its whole length. */
void uno_channel_receive(struct uno_channel *channel, struct uno_receive *receive, unsigned signature);

/* The same without waiting: it is done when receive->done is set, which happens while this PE is in any
 * function here. Until then, *receive must stay where it is. */
void uno_channel_post(struct uno_channel *channel, struct uno_receive *receive);

/* Take a posted receive back. Whether it could: false if it is done, or its message is coming. */
bool uno_channel_cancel(struct uno_channel *channel, struct uno_receive *receive);

/* Wait until a posted receive is done. */
void uno_channel_finish(struct uno_channel *channel, struct uno_receive *receive, unsigned signature);

/* Take in everything that has come, and deliver what can be. Whether anything moved. */
bool uno_channel_progress(struct uno_channel *channel);

/* The message that such a receive would get now, of which all is there or still coming; or NULL. */
const struct uno_message *uno_channel_probe(struct uno_channel *channel, const struct uno_envelope *asked);

/* ---- the extended protocol: as vertex.h describes it. name: the function that was called. */

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
