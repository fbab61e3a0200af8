/* Where each PE of a job is, read from the job's memory while it runs. */

#ifndef UNO_REPORT_H
#define UNO_REPORT_H

#include <stdio.h>
#include <sys/types.h>

#include "messages.h"

/* What one PE's board shows. */
struct uno_place {
    const char *state;         /* "waiting", "running" ... */
    pid_t pid;                 /* 0: not known */
    unsigned signature;        /* of the operation that the PE is in, or was in last; 0: none */
    uint64_t group[UNO_WORDS]; /* likewise */
    bool waits;                /* it is in that operation */
    bool exchanges;            /* and that is one of messages, with `peer`, not of a group */
    int peer, type;            /* the PE; UNO_WILD: any. UNO_WILD: any, UNO_NO_TYPE: it has none */
    uint32_t context;          /* of the message, where room is not 0 */
    uint64_t room;             /* bytes that there is room for, plus 1; 0: not known */
    uint64_t waited;           /* for so long, ns; 0: not known, or not for long */
    int missing;               /* how many members of the group it waits for */
    uint64_t missing_mask[UNO_WORDS];
};

/* Look where the PEs are: an array to be freed, or NULL if there is no memory. Only reads the job, and not
 * its header, over which a PE may write. mail: of uno_shown_map; without a base, nothing is known of
 * messages. process: the process of each PE, 0 where it has ended or is still to be started; NULL if known
 * only for those that have checked in. */
struct uno_place *uno_places(struct uno_job *job, const struct uno_mail *mail, const pid_t *process);

/* Write what the PE does or where it waits, for how long, and which PEs are missing there: the rest of a
 * line. words: of a mask. */
void uno_report_place(FILE *f, int words, const struct uno_place *place);

/* Write that line for each PE, and how many messages it has. callers: also where each program has called the
 * library, if it waits in it; the processes are stopped for some milliseconds. */
void uno_report(FILE *f, struct uno_job *job, const struct uno_mail *mail, const pid_t *process,
                bool callers);

#endif
