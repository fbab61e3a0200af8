/* Detection of deadlocks: whether any PE of a job can go on (deadlock.c). */

#ifndef UNO_DEADLOCK_H
#define UNO_DEADLOCK_H

#include <stdio.h>

#include "messages.h"
#include "node.h"

/* A PE that has left, or is one of another node. */
enum { UNO_STUCK_LEFT = -2, UNO_STUCK_FAR = -3 };

/* Look at the job for a deadlock; mail->base is NULL if the job has not used messages. Returns NULL if some
 * PE can go on, as far as one look shows. Otherwise no PE ever will, and the result is an array, to be freed:
 * for each PE the PE that it waits for, UNO_WILD for any, or UNO_STUCK_LEFT if it has left. Does not
 * block. */
int *uno_deadlock(struct uno_job *job, const struct uno_mail *mail);

/* As uno_deadlock, in a job on several machines, of the PEs of this node alone: none goes on before a packet
 * comes to it from another node. A PE of another node is UNO_STUCK_FAR, and need not have left nor rest.
 * *apart: no packet changes that either, since each waits for the post of another one here. */
int *uno_deadlock_here(struct uno_job *job, const struct uno_mail *mail, const struct uno_node *node,
                       bool *apart);

/* Write which PE waits for which: "PE 0 waits for PE 1, PE 1 for PE 0". */
void uno_deadlock_cycle(FILE *f, int n, const int *waits_for);

#endif
