/* Several processes of one user that are about to do the same do it one at a time.
 *
 * There is no name for it that another user could take first: each process has a ticket among its open files,
 * where the others find it (memories.h), and waits for those with a lower number, as in Lamport's bakery. A
 * ticket is gone with its process. */

#ifndef UNO_ALONE_H
#define UNO_ALONE_H

#include <stdint.h>

/* Wait until no other process of this user is alone by this name, for so many ns at most. Returns a
 * descriptor, to be closed when the next one may go on, or -1. */
int uno_alone(const char *name, uint64_t patience);

#endif
