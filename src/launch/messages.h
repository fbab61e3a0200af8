/* The messages of each PE of a job, read from the job's memory while it runs. */

#ifndef UNO_MESSAGES_H
#define UNO_MESSAGES_H

#include "engine/channel/link/match.h"
#include "engine/channel/ring/memory.h"

enum uno_shown_state {
    UNO_ARRIVING,  /* sent to this PE, which has not taken it in yet */
    UNO_UNCLAIMED, /* taken in, and no receive has asked for it */
    UNO_PENDING,   /* requested, and has not come */
    UNO_QUEUED,    /* sent by this PE, and waits for room in a ring */
    UNO_SHOWN_STATES,
};

/* Return the name of a state: "arriving" ... */
const char *uno_shown_name(enum uno_shown_state state);

enum { UNO_NO_TYPE = -2 }; /* the type of messages of the extended protocol */

/* One message, from the point of view of one PE. */
struct uno_shown {
    enum uno_shown_state state;
    int peer;         /* the other PE; UNO_WILD: any */
    int type;         /* UNO_WILD: any; UNO_NO_TYPE */
    uint32_t context; /* the context of a subcube; 0: the whole job */
    uint64_t bytes;   /* its size; of a pending one the room for it */
    uint64_t order;   /* the order among messages of the same state */
};

/* The messages of one PE. */
struct uno_shown_all {
    bool steady; /* nothing changed during the look; otherwise counts and messages may disagree */
    uint64_t count[UNO_SHOWN_STATES];
    /* ordered by state, by peer for those that arrive or are agreed, and by time */
    struct uno_shown *message;
    size_t messages; /* fewer than the counts if there are very many */
};

/* Map those parts of the memory for messages that describe them. fd: the job's memory; made: a copy of its
 * header. The result's base is NULL if the job has no such memory, or it cannot be mapped. */
struct uno_mail uno_shown_map(const struct uno_job *made, int fd);
void uno_shown_unmap(struct uno_mail *mail);

/* Return the number of PEs, and the words of a mask, from the copy of the header: a PE may write over the
 * header itself. */
static inline int uno_shown_pes(const struct uno_mail *mail) {
    return (int)mail->n;
}
static inline int uno_shown_words(const struct uno_mail *mail) {
    return (uno_shown_pes(mail) + 63) / 64;
}

/* Return true if any PE of the job has used messages. Reading the messages of other jobs would only take
 * memory. */
bool uno_shown_any(const struct uno_job *job, const struct uno_mail *mail);

/* Read the messages of PE k, in a job that has used messages: the counts, and if `each` every message. The
 * result is freed by uno_shown_free. False: memory is short. */
bool uno_shown_look(const struct uno_mail *mail, int k, bool each, struct uno_shown_all *all);
void uno_shown_free(struct uno_shown_all *all);

/* Return the operation in which PE k waits, as UNO_DOING; 0: it does not wait, or only for a short time
 * yet. */
uint64_t uno_shown_doing(const struct uno_mail *mail, int k);

#endif
