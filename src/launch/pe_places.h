/* The place of each PE of a job, read from the job's memory while it runs. */

#ifndef UNO_PE_PLACES_H
#define UNO_PE_PLACES_H

#include <sys/types.h>

#include "messages.h"

/* The state of one PE, as its board shows it. */
struct uno_place {
    const char *state;         /* "waiting", "running" ... */
    pid_t pid;                 /* 0: not known */
    unsigned signature;        /* the operation that the PE is in, or was in last; 0: none */
    uint64_t group[UNO_WORDS]; /* the group of that operation */
    bool waits;                /* it is in that operation */
    bool gone;                 /* it has left, or its process has ended */
    bool exchanges;            /* the operation is one of messages, with `peer`, not of a group */
    int peer, type;            /* the other PE; UNO_WILD: any. UNO_WILD: any; UNO_NO_TYPE: it has none */
    uint32_t context;          /* the context of the message, where room is not 0 */
    uint64_t room;             /* bytes of the receive buffer, plus 1; 0: not known */
    uint64_t waited;           /* ns of the wait so far; 0: not known, or short */
    int missing;               /* the number of members that it waits for */
    uint64_t missing_mask[UNO_WORDS];
};

/* Return the place of each PE, an array to be freed, or NULL if memory is short. Only reads the job, and not
 * its header, over which a PE may write. mail: of uno_shown_map; without a base, nothing is known of
 * messages. process: the process of each PE, 0 where it has ended or is still to be started; NULL if known
 * only for those that have checked in. */
struct uno_place *uno_places(struct uno_job *job, const struct uno_mail *mail, const pid_t *process);

#endif
