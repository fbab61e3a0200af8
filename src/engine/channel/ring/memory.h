/* The memory that the messages of a job share: for each PE a box, then for each PE its notes, then a ring for
 * every ordered pair of PEs, then for each PE a heap. It is large, and sparse: only what is touched takes
 * memory. A PE maps all but the heaps when it first uses messages, and of these what it needs (windows.h).
 * All of it starts as zeros. */

#ifndef UNO_CHANNEL_MEMORY_H
#define UNO_CHANNEL_MEMORY_H

#include "engine/rest.h"
#include "engine/signature.h"
#include "ring.h"

enum {
    UNO_NOTES = 1 << 15,   /* messages of one PE that can be shown one by one */
    UNO_NOTE_NONE = -1,    /* it is one too many */
    UNO_NOTE_UNNOTED = -2, /* it is none that is to be shown */
};

/* The kinds of notes that a PE makes about messages, for programs that look at the job from outside. */
enum uno_note_kind {
    UNO_NOTE_UNCLAIMED, /* it has come, and nobody has asked for it */
    UNO_NOTE_QUEUED,    /* it was written, and the ring to its reader is full */
    UNO_NOTE_PENDING, /* it was asked for, and has not come; those of the extended protocol stand in the rings
                       */
    UNO_NOTE_KINDS,
};

/* A note about a message, which is written by its PE and read from outside. The stamp is 0 while the rest
 * changes, and never the same again. */
struct uno_note {
    uno_atomic64 stamp; /* when it was made, counted, times 4, plus its kind and 1; 0: nothing */
    uno_atomic64 peer;  /* PE number plus 1, 0 for any; the context in the upper half */
    uno_atomic64 tag;   /* tag plus 1, 0 for any */
    uno_atomic64 bytes;
};

/* The words that one PE shows to others: the bell and the writers to PEs that write to it, `doing` and `away`
 * to PEs on its processor, and the rest to programs that look from outside. */
struct uno_box {
    uno_atomic64 bell; /* rung by all */
    uno_atomic64 unused[7];
    uno_atomic64 doing;                 /* what this PE waits in: UNO_DOING; 0: nothing, or not for long */
    uno_atomic64 count[UNO_NOTE_KINDS]; /* messages of each kind, also those beyond UNO_NOTES */
    uno_atomic64 noted;                 /* notes that were ever in use: those before this one */
    uno_atomic64 changes;               /* of counts and notes, begun and ended, ever: odd during one */
    uno_atomic64 away;                  /* 1: it has given its processor away, to wait */
    /* an address in the PE's process, at which observers outside find the requests of its face
     * (launch/requests.h); 0: there is none */
    uno_atomic64 rank;
    /* masks, of which a job uses the first words: of the PEs that have ever written to this one, set by
     * those; and of those from which this one may ever have requested */
    uno_atomic64 writer[UNO_WORDS] __attribute__((aligned(64)));
    uno_atomic64 extended[UNO_WORDS];
};

static inline int uno_doing_peer(uint64_t doing) {
    return (int)(doing >> 16 & 0xffff) - 1;
}

/* Return true if the wait that is shown by `doing` is to end by something that comes from that PE. */
static inline bool uno_doing_reads(uint64_t doing) {
    return uno_signature_reads((unsigned)doing & 0xffff);
}

/* The places of things in the memory for messages. */
struct uno_mail {
    char *base;
    size_t n;
    size_t lines; /* of a ring */
    size_t heap;  /* bytes of one PE's */
    size_t heaps; /* where they start */
    size_t size;  /* of everything */
};

/* The layout for n PEs; base is NULL. */
struct uno_mail uno_mail_layout(int n);

/* Return where that memory may start behind a job of so many bytes. */
size_t uno_mail_at(size_t job);

/* Where that memory starts for a PE: PEs that are nodes of their own have one each, behind each other. */
uint64_t uno_mail_at_of(const struct uno_pe *pe);

/* Bytes of a heap that are mapped at once, at least, in a job of n PEs. */
size_t uno_mail_step(int n);

/* Map all but the heaps, for this PE. Ends with an error if that cannot be done. */
struct uno_mail uno_mail_map(struct uno_pe *pe);

/* Free the memory that was mapped: the first for a PE that is a process, the second for a team of threads by
 * the maker of its job. */
void uno_mail_unmap(const struct uno_mail *mail);
void uno_mail_free(struct uno_job *job);

static inline struct uno_box *uno_mail_box(const struct uno_mail *mail, int k) {
    return (struct uno_box *)(void *)mail->base + k;
}

/* The UNO_NOTES of PE k. */
static inline struct uno_note *uno_mail_notes(const struct uno_mail *mail, int k) {
    return (struct uno_note *)(void *)uno_mail_box(mail, (int)mail->n) + (size_t)k * UNO_NOTES;
}

/* The ring from PE i to PE k. */
static inline struct uno_ring *uno_mail_ring(const struct uno_mail *mail, int i, int k) {
    size_t size = sizeof(struct uno_ring) + mail->lines * sizeof(struct uno_line);
    return (struct uno_ring *)(void *)((char *)uno_mail_notes(mail, (int)mail->n) +
                                       ((size_t)k * mail->n + (size_t)i) * size);
}

/* Where PE k's heap starts, in bytes from the start. */
static inline size_t uno_mail_heap_at(const struct uno_mail *mail, int k) {
    return mail->heaps + (size_t)k * mail->heap;
}

#endif
