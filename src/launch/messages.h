/* Which messages each PE of a job has, read from the job's memory while it runs. */

#ifndef UNO_MESSAGES_H
#define UNO_MESSAGES_H

#include "engine/channel/match.h"
#include "engine/channel/ring/memory.h"

enum uno_shown_state {
    UNO_ARRIVING,  /* was sent to this PE, which has not taken it in yet */
    UNO_UNCLAIMED, /* was taken in, and nobody has asked for it */
    UNO_PENDING,   /* was asked for, and has not come */
    UNO_QUEUED,    /* was sent by this PE, and waits for room on its way */
    UNO_SHOWN_STATES,
};

/* "arriving" ... */
const char *uno_shown_name(enum uno_shown_state state);

enum { UNO_NO_TYPE = -2 }; /* of messages of the extended protocol */

/* One message, from the point of view of one PE. */
struct uno_shown {
    enum uno_shown_state state;
    int peer;         /* the other PE; UNO_WILD: any */
    int type;         /* UNO_WILD: any; UNO_NO_TYPE */
    uint32_t context; /* of a subcube; 0: the whole job */
    uint64_t bytes;   /* of a pending one: the room for it */
    uint64_t order;   /* of those of the same state */
};

/* What one PE has. */
struct uno_shown_all {
    bool steady; /* nothing changed while it was looked at; otherwise counts and messages may not agree */
    uint64_t count[UNO_SHOWN_STATES];
    struct uno_shown *message; /* in the order of state, peer of those that arrive or are agreed, and time */
    size_t messages;           /* fewer than the counts tell if there are very many */
};

/* Map those parts of the memory for messages that show them: `fd` is the job's memory, and `made` a copy of
 * its header. Its base is NULL if the job has none, or it cannot be mapped. */
struct uno_mail uno_shown_map(const struct uno_job *made, int fd);
void uno_shown_unmap(struct uno_mail *mail);

/* How many PEs the job has, and words a mask. A PE may write over what the job's memory says of that. */
static inline int uno_shown_pes(const struct uno_mail *mail) {
    return (int)mail->n;
}
static inline int uno_shown_words(const struct uno_mail *mail) {
    return (uno_shown_pes(mail) + 63) / 64;
}

/* Whether any PE of the job has used messages. To look at those of one that has not would take memory. */
bool uno_shown_any(const struct uno_job *job, const struct uno_mail *mail);

/* Look at PE k of a job that has used messages: its counts, and with `each` the messages one by one, to be
 * freed by uno_shown_free. False: there is no memory. */
bool uno_shown_look(const struct uno_mail *mail, int k, bool each, struct uno_shown_all *all);
void uno_shown_free(struct uno_shown_all *all);

/* What PE k waits in, as of UNO_DOING; 0: nothing, or not for long. */
uint64_t uno_shown_doing(const struct uno_mail *mail, int k);

#endif
