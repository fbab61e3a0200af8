/* Progress of the host while a rank waits in an accelerated operation: messages to and from the rank, and
 * one-sided operations on its memory. */

#ifndef UNO_PROGRESS_H
#define UNO_PROGRESS_H

#include <stdbool.h>

struct uno_pe;

void uno_progress_start(void);
void uno_progress_end(void);

/* Let the host make progress while this PE waits, and check that the awaited PE lives: the `progress`
 * function of struct uno_pe. */
bool uno_progress_wait(struct uno_pe *pe);

/* Let the host make progress, unless it just has. */
void uno_progress_poll(void);

#endif
