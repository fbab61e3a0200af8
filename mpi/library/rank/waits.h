/* Waiting for any of several things, which is the program's way more often than the engine's. */

#ifndef UNO_MPI_WAITS_H
#define UNO_MPI_WAITS_H

#include "library/rank/rank.h"

/* Go on with messages until `done(argument)` says so. k: the PE that has to do most of all, or UNO_WILD. Ends
 * the job if nothing can come any more. */
void uno_wait_until(bool (*done)(void *argument), void *argument, int k, unsigned signature);

#endif
