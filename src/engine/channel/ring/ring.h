/* The ring that carries messages from one PE to another: cache lines with one writer and one reader. It is
 * lock-free, as is the bell (bell.h) by which its ends sleep, and both are checked under a model of memory;
 * the rest of the channel is ordinary C above them.
 *
 * A line's header holds its number, so a line that was written before shows the number of a round ago, and
 * nothing has to be cleared. The writer stores data, then the header of the first line with release: a short
 * message crosses in one line transfer. The reader gives lines back by a counter, at which the writer looks
 * only when the ring seems full. */

#ifndef UNO_CHANNEL_RING_H
#define UNO_CHANNEL_RING_H

#include "engine/bell.h"
#include "engine/tuning.h"

enum {
    UNO_LINE_WORDS = 7,
    UNO_RING_FIRST = (UNO_LINE_WORDS - 1) * 8, /* bytes of data in the first line of a message */
    UNO_RING_NEXT = UNO_LINE_WORDS * 8,        /* in each further one */
    UNO_RING_LINES_MAX = 4,                    /* of one message */
    UNO_LINES_AHEAD = 3,  /* that a writer of many messages has fetched before it needs them, */
    UNO_LINES_BEHIND = 2, /* and a reader */
    UNO_RING_BYTES = UNO_RING_FIRST + (UNO_RING_LINES_MAX - 1) * UNO_RING_NEXT, /* of one message */
};
_Static_assert(UNO_RING_BYTES < 256, "a header has 8 bits for them");

struct uno_line {
    uno_atomic64 header; /* UNO_LINE_HEADER; 0 before the first use */
    uno_plain64 word[UNO_LINE_WORDS];
};

/* A line's header: the line's number plus 1, so that it is never 0 in a fresh ring, in 32 bits; the kind of
 * the line, in 8; its bytes, in 8; and 16 bits for the users of the ring, which come in the upper half of
 * `kind`. */
#define UNO_LINE_HEADER(number, kind, bytes)                                                                 \
    ((uint64_t)(uint32_t)((number) + 1) | (uint64_t)(kind) << 32 | (uint64_t)(bytes) << 40)

static inline unsigned uno_line_kind(uint64_t header) {
    return header >> 32 & 0xff;
}
static inline size_t uno_line_bytes(uint64_t header) {
    return header >> 40 & 0xff;
}
static inline unsigned uno_line_mark(uint64_t header) {
    return (unsigned)(header >> 48);
}

/* The place where the reader wants a message that is agreed upon, under the extended protocol of
 * extended.c. */
struct uno_request {
    uno_atomic64 number; /* counted from 1 */
    uno_plain64 bytes;
    uno_plain64 place;
    uint64_t unused;
};

enum { UNO_REQUESTS = 16 }; /* that can be open at a time */

/* A long message that both ends copy: share.h. Beside each other are what both change all the time,
 * and what the reader writes once. */
struct uno_share {
    uno_atomic64 split;
    uno_atomic64 copied; /* parts, by the reader */
    uno_plain64 place;   /* where it wants the data, in its process; set before it begins a part */
    uint64_t unused[5];
};

/* In shared memory; a power of two of lines follow. What stands before them is written by the reader. */
struct uno_ring {
    uno_atomic64 taken;   /* lines that the reader has finished reading */
    uno_atomic64 arrived; /* requested messages that have come; for those who look from outside */
    uint64_t unused[6];
    struct uno_request request[UNO_REQUESTS];
    struct uno_share share;
    struct uno_line line[];
};

/* The view of a ring that each end has for itself: the writer's, and the reader's. */
struct uno_outlet {
    struct uno_ring *ring;
    uint64_t mask;  /* lines - 1 */
    uint64_t next;  /* line to be written */
    uint64_t limit; /* lines before this one are free: what `taken` was, plus lines */
};
struct uno_inlet {
    struct uno_ring *ring;
    uint64_t mask;
    uint64_t next; /* line to be read */
};

/* Return how many lines a message of so many bytes, at most UNO_RING_BYTES, takes. */
static inline unsigned uno_ring_lines(size_t bytes) {
    return bytes <= UNO_RING_FIRST
               ? 1
               : 1 + (unsigned)((bytes - UNO_RING_FIRST + UNO_RING_NEXT - 1) / UNO_RING_NEXT);
}

/* Return how many lines the reader has finished reading, and with them all that they told it to read. */
static inline uint64_t uno_ring_taken(const struct uno_outlet *out) {
    /* SYNC TAKEN: reads of these lines and of the buffers that they name have ended */
    return uno_load64_acquire(&out->ring->taken);
}

/* Return true if there is room for so many lines. */
static inline bool uno_ring_room(struct uno_outlet *out, unsigned lines) {
    if (out->next + lines <= out->limit)
        return true;
    out->limit = uno_ring_taken(out) + out->mask + 1;
    return out->next + lines <= out->limit;
}

/* Make the message visible that ends before line `next`; header: of its first line. */
static inline void uno_ring_show(struct uno_outlet *out, struct uno_line *first, uint64_t header,
                                 uint64_t next) {
    out->next = next;
    /* SYNC LINE: all lines of the message, and the buffer that it names */
    uno_store64_release(&first->header, header);
    uno_prefetch_write(&out->ring->line[(next + UNO_LINES_AHEAD) & out->mask]);
}

/* Write a message of one line, for which there is room: one word, and at most UNO_RING_FIRST bytes of data.
 */
static inline void uno_ring_put_line(struct uno_outlet *out, unsigned kind, uint64_t word, const void *data,
                                     size_t bytes) {
    uint64_t number = out->next;
    struct uno_line *line = &out->ring->line[number & out->mask];
    uno_write64_plain(&line->word[0], word);
    uno_write_plain(&line->word[1], data, bytes);
    uno_ring_show(out, line, UNO_LINE_HEADER(number, kind, bytes), number + 1);
}

/* Write a message, for which there is room, of any length up to UNO_RING_BYTES. */
static inline void uno_ring_put(struct uno_outlet *out, unsigned kind, uint64_t word, const void *data,
                                size_t bytes) {
    if (bytes <= UNO_RING_FIRST) {
        uno_ring_put_line(out, kind, word, data, bytes);
        return;
    }
    struct uno_line *first = &out->ring->line[out->next & out->mask];
    uint64_t header = UNO_LINE_HEADER(out->next, kind, bytes);
    const char *rest = (const char *)data + UNO_RING_FIRST;
    uno_write64_plain(&first->word[0], word);
    uno_write_plain(&first->word[1], data, UNO_RING_FIRST);
    for (bytes -= UNO_RING_FIRST;; bytes -= UNO_RING_NEXT, rest += UNO_RING_NEXT) {
        struct uno_line *line = &out->ring->line[++out->next & out->mask];
        uno_store64_relaxed(&line->header, UNO_LINE_HEADER(out->next, 0, 0));
        if (bytes <= UNO_RING_NEXT) {
            uno_write_plain(line->word, rest, bytes);
            break;
        }
        uno_write_plain(line->word, rest, UNO_RING_NEXT);
    }
    uno_ring_show(out, first, header, out->next + 1);
}

/* Return the header of the next message, or 0 if it has not come. */
static inline uint64_t uno_ring_look(const struct uno_inlet *in) {
    /* SYNC LINE: all lines of the message, and the buffer that it names */
    uint64_t header = uno_load64_acquire(&in->ring->line[in->next & in->mask].header);
    return (uint32_t)header == (uint32_t)(in->next + 1) ? header : 0;
}

/* Look for the next message, so often at most, until it comes: a tight loop, since between a message and its
 * sight every instruction counts. The first looks make no pause. Returns how often it had not come. */
static inline int uno_ring_await(const struct uno_inlet *in, int looks) {
    int i = 0;
    for (; i < looks && !uno_ring_look(in); i++)
        if (i >= UNO_EAGER_LOOKS)
            uno_pause();
    return i;
}

/* Have the lines behind a message fetched that was there before it was looked for, since there may be more
 * behind it. This is not done if the message was waited for: the writer, which is about to write the next
 * line, would lose that line. */
static inline void uno_ring_fetch(const struct uno_inlet *in) {
    uno_prefetch_read(&in->ring->line[(in->next + UNO_LINES_BEHIND) & in->mask]);
}

/* Read the word, and the data, of a message that has come. */
static inline uint64_t uno_ring_word(const struct uno_inlet *in) {
    return uno_read64_plain(&in->ring->line[in->next & in->mask].word[0]);
}
static inline void uno_ring_get(const struct uno_inlet *in, void *data, size_t bytes) {
    const struct uno_line *line = &in->ring->line[in->next & in->mask];
    if (bytes <= UNO_RING_FIRST) {
        uno_read_plain(data, &line->word[1], bytes);
        return;
    }
    char *rest = (char *)data + UNO_RING_FIRST;
    uno_read_plain(data, &line->word[1], UNO_RING_FIRST);
    bytes -= UNO_RING_FIRST;
    for (uint64_t i = in->next + 1;; i++, bytes -= UNO_RING_NEXT, rest += UNO_RING_NEXT) {
        line = &in->ring->line[i & in->mask];
        if (bytes <= UNO_RING_NEXT) {
            uno_read_plain(rest, line->word, bytes);
            return;
        }
        uno_read_plain(rest, line->word, UNO_RING_NEXT);
    }
}

/* Give the message's lines back, and with them the buffers that they named. */
static inline void uno_ring_take(struct uno_inlet *in, unsigned lines) {
    in->next += lines;
    /* SYNC TAKEN: reads of these lines and of the buffers that they name have ended */
    uno_store64_release(&in->ring->taken, in->next);
}

/* The reader calls this: message `number` is to be put at `place`. The message of the earlier request in this
 * slot must have come. */
static inline void uno_ring_request(struct uno_inlet *in, uint64_t number, uint64_t bytes, uint64_t place) {
    struct uno_request *request = &in->ring->request[number % UNO_REQUESTS];
    uno_write64_plain(&request->bytes, bytes);
    uno_write64_plain(&request->place, place);
    /* SYNC REQUEST: bytes and place */
    uno_store64_release(&request->number, number);
}

/* The writer calls this. Returns true if message `number` has been requested, and gives its bytes and
 * place. */
static inline bool uno_ring_requested(const struct uno_outlet *out, uint64_t number, uint64_t *bytes,
                                      uint64_t *place) {
    const struct uno_request *request = &out->ring->request[number % UNO_REQUESTS];
    /* SYNC REQUEST: bytes and place */
    if (uno_load64_acquire(&request->number) != number)
        return false;
    *bytes = uno_read64_plain(&request->bytes);
    *place = uno_read64_plain(&request->place);
    return true;
}

#endif
