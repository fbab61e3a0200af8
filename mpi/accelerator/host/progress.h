/* What the host has to do while a rank waits in an accelerated operation: messages that others send it, or
 * that it is sending, and one-sided operations on its memory. */

#ifndef UNO_PROGRESS_H
#define UNO_PROGRESS_H

#include <stdbool.h>

struct uno_pe;

void uno_progress_start(void);
void uno_progress_end(void);

/* Have it done while this PE waits, and look whether the one that it waits for lives; as struct uno_pe's. */
bool uno_progress_wait(struct uno_pe *pe);

/* Let the host go on with it, unless it just has. */
void uno_progress_poll(void);

#endif
