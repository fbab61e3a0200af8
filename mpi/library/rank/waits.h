/* Waiting for any of several events, which is needed by calls of the program more often than by the
 * engine. */

#ifndef UNO_MPI_WAITS_H
#define UNO_MPI_WAITS_H

#include "library/rank/rank.h"

/* Make progress with messages until `done(argument)` returns true. flag: is set at the latest when whatever
 * the call waits for is done, so that a thread need not look before; NULL: anything that moves may be that.
 * k: the PE that most of all has to act, or UNO_WILD. Ends the job if nothing can come any more. */
void uno_wait_until(bool (*done)(void *argument), void *argument, const bool *flag, int k,
                    unsigned signature);

/* Likewise, until a posted receive is done. */
void uno_wait_received(struct uno_receive *receive, int k, unsigned signature);

/* Have that function called whenever the rank waits or looks for messages: it may send and post, but not
 * wait, and returns true if it has gone on. NULL: there is nothing to go on with. */
void uno_go_on_by(enum uno_go_on of, bool (*function)(void));

#endif
