/* Announcements, and the operations that go by them. Called in the keeper's thread. */

#ifndef UNO_KEEPER_TALK_H
#define UNO_KEEPER_TALK_H

#include "state.h"

/* Exchange what the keepers have to tell, and carry out the operations that are complete. */
void uno_keeper_talk(struct uno_keeper *keeper);

/* Return true if its PE's operation has to be announced; or if the PE has stopped for an interrupt, which the
 * others do not know. */
bool uno_keeper_announces(const struct uno_keeper *keeper);
bool uno_keeper_stops_next(const struct uno_keeper *keeper);

/* Compare its PE's operation with those that others have announced. */
void uno_keeper_compare(struct uno_keeper *keeper);

/* Publish the member that its PE waits for. */
void uno_keeper_note_missing(struct uno_keeper *keeper);

/* Carry out an operation of all PEs, who have all come to one. */
void uno_keeper_together(struct uno_keeper *keeper);

#endif
