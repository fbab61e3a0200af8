/* Waiting for any of several events, which is needed by calls of the program more often than by the
 * engine. */

#ifndef UNO_MPI_WAITS_H
#define UNO_MPI_WAITS_H

#include "library/rank/rank.h"

/* Make progress with messages until `done(argument)` returns true. k: the PE that most of all has to act, or
 * UNO_WILD. Ends the job if nothing can come any more. */
void uno_wait_until(bool (*done)(void *argument), void *argument, int k, unsigned signature);

#endif
