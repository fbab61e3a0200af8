/* Whether any PE of a job can go on: deadlock.c. */

#ifndef UNO_DEADLOCK_H
#define UNO_DEADLOCK_H

#include <stdio.h>

#include "messages.h"

enum { UNO_STUCK_LEFT = -2 };

/* Look at the job, which has used messages if mail->base is not NULL. NULL: some PE can go on, as far as can
 * be seen at once. Otherwise none ever will: for each PE whom it waits for, UNO_WILD: any, or UNO_STUCK_LEFT
 * if it has left; an array to be freed. Does not block. */
int *uno_deadlock(struct uno_job *job, const struct uno_mail *mail);

/* Write who waits for whom: "PE 0 waits for PE 1, PE 1 for PE 0". */
void uno_deadlock_cycle(FILE *f, int n, const int *waits_for);

#endif
