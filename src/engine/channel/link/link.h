/* The state of a PE's channel: of its messages with each other PE, and with all together. These are plain
 * structures of one PE, in which all parts of the channel work; and the kinds of lines in the rings. */

#ifndef UNO_CHANNEL_LINK_H
#define UNO_CHANNEL_LINK_H

#include <stdlib.h>

#include "engine/channel/ring/heap.h"
#include "engine/channel/ring/memory.h"
#include "engine/channel/ring/split.h"
#include "engine/channel/ring/windows.h"
#include "engine/fault.h"
#include "kinds.def"
#include "match.h"

struct uno_channel;
struct uno_far_links;

/* The kinds of lines of a ring, UNO_KIND_SHORT (1) and so on, and for each kind the function that takes in
 * such a line from PE k. */
#define UNO_KIND_ROW(kind, begins, take) UNO_KIND_##kind,
enum uno_kind { UNO_KIND_NONE, UNO_KIND_TABLE(UNO_KIND_ROW) UNO_LINE_KINDS };
#define UNO_KIND_TAKE(kind, begins, take) void take(struct uno_channel *channel, int k, uint64_t header);
UNO_KIND_TABLE(UNO_KIND_TAKE)

/* A row of the table of kinds, which is in channel.c. */
struct uno_kind_row {
    enum { UNO_BEGINS_NONE, UNO_BEGINS_STANDARD, UNO_BEGINS_EXTENDED } begins;
    void (*take)(struct uno_channel *channel, int k, uint64_t header);
};

/* Functions that begin a message get a signature with a mark in its upper half (channel.h), which goes with
 * the kind of its first line. */
static inline unsigned uno_signature_mark(unsigned signature) {
    return signature & ~0xffffu;
}
static inline unsigned uno_signature_alone(unsigned signature) {
    return signature & 0xffff;
}

/* Bytes of a long message that one line names, at most. */
#define UNO_PIECE_BYTES ((size_t)1 << UNO_PIECE_MOST)

/* A piece of a message, which is in a buffer of the sender's heap. */
struct uno_piece {
    uint64_t total; /* bytes of the message */
    uint64_t bytes; /* of this piece */
    uint64_t at;    /* the buffer's place, as in windows.h */
    uint64_t to;    /* where the piece begins in the message */
};

/* A standard message that is being sent, or the data of an extended one: handed on until all of it is on its
 * way. */
struct uno_sending {
    struct uno_channel *channel;
    int k; /* the PE that it goes to */
    uint64_t word;
    const char *data;
    size_t bytes;
    unsigned signature; /* of the operation that this PE waits in meanwhile */
    unsigned mark;      /* of its first line: uno_signature_mark */
};

/* A line that is to be put into a ring. */
struct uno_put {
    uint64_t word;
    unsigned kind, bytes;
    const void *data;
    void *buffer;  /* the buffer that it names, or NULL */
    unsigned size; /* log2 of the buffer's bytes */
};

/* Something that waits for room in a ring: a line, whose data follow; or data of the program that are still
 * to be cut into pieces. */
struct uno_queued {
    struct uno_queued *next;
    struct uno_put line;
    int note;
    unsigned more;      /* the kind of the pieces of those data behind the first one */
    const char *source; /* those data; NULL: it is a line */
    size_t total, done; /* bytes of them */
    struct uno_completion *completion;
    char data[];
};

/* A flag that is set when several queued things are complete. */
struct uno_completion {
    int left;
    int *flag;
};

/* A buffer that a line of a ring names. */
struct uno_held {
    void *buffer;
    unsigned size;
};

/* The state of the extended protocol with one other PE: messages so far, and open requests. */
struct uno_agreed {
    uint64_t requested, arrived, sent; /* messages, ever */
    struct {
        void *data;
        size_t bytes;
        int *flag;
    } request[UNO_REQUESTS];
};

/* The place where a reader on another node wants a message: memory that it has exposed. */
struct uno_far_place {
    uint64_t key, at; /* the network's */
    uint64_t bytes;
};

/* The part of a link to a PE on another node that all rooms know; channel/far/ has the rest. */
struct uno_far_link {
    void (*ring)(struct uno_far_link *far); /* what uno_link_ring does */
    /* Send a message at once, straight from its data, which are the caller's again on return. Returns false,
     * and has sent nothing, if it has to go by the ring: something goes before it, or it is too long. */
    bool (*send)(struct uno_far_link *far, unsigned mark, uint64_t word, const void *data, size_t bytes);
    uint64_t started;           /* the number of the message that is coming from it; 0: it has none */
    void *exposed;              /* the place of that message, while the other PE may write there */
    uint64_t placed;            /* the number of the last message to it whose place is known, */
    struct uno_far_place place; /* and that place */
};

/* The state of a PE's messages with one other PE, out and in. It is all zeros before either of them has used
 * it for the first time (uno_link_of). */
struct uno_link {
    struct uno_outlet out;
    struct uno_queued *first, *last;
    struct uno_far_link *far; /* NULL: the other PE is on this node */
    uno_atomic64 *bell;       /* the other PE's bell, */
    uint64_t rung;            /* and the sleep for which it was last rung */
    struct uno_inlet in;
    struct uno_agreed *agreed;   /* NULL before it is extended for the first time */
    bool extended;               /* this PE's end is */
    bool known;                  /* the other has this PE's bit among its writers */
    bool plain;                  /* that, it is on this node, and this end is not extended */
    uint8_t waits, untried;      /* of progress.c: poll_first; in this PE's own link, when it waits for any */
    bool reads;                  /* of pieces.c: await_reader */
    bool joined;                 /* of join.c: this PE copies a part of what is coming */
    uint64_t opened;             /* of share.c and placed.c: messages to it, ever */
    uint8_t unjoined, unawaited; /* the same: await_reader */
    struct uno_way *way;         /* of send.h; NULL before the first long message to it */
    uint64_t before;             /* line from it that was next when the last one was sent */
    /* the message that is coming in pieces */
    struct uno_receive *direct; /* that it belongs to, or */
    struct uno_message *coming; /* that it is kept in; or neither: it is an agreed one */
    char *to;                   /* its data go here, as far as there is room */
    size_t room, total, got;
    struct uno_span near; /* of windows.h: what was reached last of its heap, */
    /* of answers.h */
    uint64_t asked, heard;             /* messages that ask for an answer, ever: to it, and from it */
    struct uno_receive_chain awaiting; /* the answers to those to it that have not come, in their order */
    struct uno_receive_chain pulled;   /* of pull.h: receives that wait for pieces, in their order */
    struct uno_held *held;             /* for each line of the ring to it; NULL before the first buffer */
    uint64_t reclaimed;                /* buffers of lines before this one are free again */
    struct uno_spans spans;            /* and everything that this PE has mapped of it */
};

/* Wake the other PE, if it sleeps, or send to another node: a line was put into the ring that it reads, or
 * taken from the one that it writes. */
static inline void uno_link_ring(struct uno_link *link) {
    if (UNO_UNLIKELY(link->far != NULL))
        link->far->ring(link->far);
    else
        uno_bell_ring(link->bell, &link->rung);
}

/* Find out what the link's state means for the messages that go by the straight line of channel.h. */
static inline void uno_link_settle(struct uno_link *link) {
    link->plain = link->known && !link->extended && !link->far;
}

/* The PEs that the program sees, numbered from 0. */
struct uno_numbering {
    uint32_t context;
    int first, n;
    uint32_t around; /* the dimensions of the cubes of which this is a subcube, a bit for each */
};

struct uno_channel {
    struct uno_pe *pe;
    const struct uno_kind_row *kinds; /* by their numbers, of which a line has 8 bits */
    struct uno_mail mail;
    struct uno_box *box;
    struct uno_windows windows; /* of the heap */
    struct uno_heap heap;
    size_t pool, pool_used; /* bytes */
    struct uno_messages messages;
    size_t offered;                         /* of those, whose data are still at their senders (send.h) */
    unsigned idle;                          /* looks in vain while there are any */
    struct uno_message *later, *last_later; /* of kept.h: a chain of those that are to be copied */
    struct uno_receives receives;
    struct uno_far_links *far; /* of channel/far/; NULL: the job is on one machine */
    /* begin a link to PE k that is on another node, */
    void (*begin_far)(struct uno_channel *channel, int k);
    void (*end_far)(struct uno_channel *channel); /* and the end: wait until all has been sent, and free it */
    struct uno_receive *reading; /* the one that this PE waits for, after all that are posted */
    uint64_t queued[UNO_WORDS];  /* links that have queued lines */
    uint64_t unread[UNO_WORDS];  /* links to other nodes from which lines have come */
    uint64_t holding[UNO_WORDS]; /* links whose rings name buffers */
    uint64_t asking[UNO_WORDS];  /* links with open requests */
    int turn;                    /* whose ring is looked at first */
    struct uno_numbering view;
    uint32_t *note; /* numbers of notes that are free */
    uint32_t notes, notes_made;
    uint64_t notes_ever;
    const struct uno_share *settling; /* of share.c: the reader's copies are waited for, */
    uint64_t settling_parts;          /* of a message of so many parts */
    struct uno_link *filling;         /* room in its ring is waited for, for so many lines */
    unsigned filling_lines;
    bool placing;              /* of placed.c: it writes, or will, to the memory of a PE on another node */
    bool writing;              /* this PE waits in the middle of a send, and may not begin another one */
    bool (*on_progress)(void); /* of progress.h; or NULL */
    uint64_t moves;            /* what was taken in, delivered, made free or found, counted */
    uint64_t vain_moves;       /* of progress.h: moves when the program last looked in vain; */
    unsigned vain, kept;       /* such looks since something moved, and since the processor was given away */
    struct uno_link link[];    /* one for each PE */
};

/* Return true if PE k has left: then it reads nothing more, and everything that it wrote has come. */
static inline bool uno_channel_left(const struct uno_channel *channel, int k) {
    return uno_pe_left(channel->pe, k);
}

static inline uint64_t uno_channel_word(uint32_t context, int tag) {
    return (uint64_t)context << 32 | (uint32_t)tag;
}

static inline void *uno_channel_memory(struct uno_channel *channel, void *memory) {
    if (UNO_UNLIKELY(!memory))
        uno_fail(channel->pe, "out of memory for messages");
    return memory;
}

/* Count that one more of the things is complete; the last one sets the flag. */
static inline void uno_completion_step(struct uno_completion *completion) {
    if (--completion->left)
        return;
    *completion->flag = 1;
    free(completion);
}

/* Begin the link to PE k: a PE of a large job has messages with few others, and what it keeps of all the rest
 * takes no memory. */
void uno_link_begin(struct uno_channel *channel, int k);

static inline bool uno_link_has_begun(const struct uno_link *link) {
    return link->in.ring;
}

/* Return the link to PE k, for code in which every instruction counts: its address is calculated once, and
 * not again at each use. */
static inline struct uno_link *uno_link_once(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    __asm__("" : "+r"(link));
    return link;
}

/* Return the link to PE k, which begins at the first call. Whoever is the first to name PE k calls this: a
 * send, a receive, and what takes in a line or a packet from there. Everything behind those knows that the
 * link has begun. */
static inline struct uno_link *uno_link_of(struct uno_channel *channel, int k) {
    struct uno_link *link = uno_link_once(channel, k);
    if (UNO_UNLIKELY(!uno_link_has_begun(link)))
        uno_link_begin(channel, k);
    return link;
}

static inline void uno_bit_set(uint64_t *mask, int k) {
    mask[k / 64] |= (uint64_t)1 << (k % 64);
}
static inline void uno_bit_clear(uint64_t *mask, int k) {
    mask[k / 64] &= ~((uint64_t)1 << (k % 64));
}

/* The bit of a message's word by which the message asks for an answer (answers.h): the highest bit of the
 * half for the context, which no context has. */
#define UNO_WORD_ASKS (UINT64_C(1) << 63)

static inline uint32_t uno_word_context(uint64_t word) {
    return (uint32_t)((word & ~UNO_WORD_ASKS) >> 32);
}
static inline int uno_word_tag(uint64_t word) {
    return (int)(uint32_t)word;
}

/* Three functions that read the next line from PE k, which has come. The first returns the envelope of the
 * message that the line's word names; the second the piece that is the line's data; the third the word of a
 * line that has nothing else, and takes the line. */
static inline struct uno_envelope uno_link_envelope(const struct uno_link *link, int k) {
    uint64_t word = uno_ring_word(&link->in);
    return (struct uno_envelope){uno_word_context(word), k, uno_word_tag(word)};
}
static inline struct uno_piece uno_link_piece(const struct uno_link *link) {
    struct uno_piece piece;
    uno_ring_get(&link->in, &piece, sizeof piece);
    return piece;
}
static inline uint64_t uno_link_take_word(struct uno_link *link) {
    uint64_t word = uno_ring_word(&link->in);
    uno_ring_take(&link->in, 1);
    return word;
}

#endif
