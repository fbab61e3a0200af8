/* The processes below this one, including those that other processes have started. It is meant for a process
 * that is a subreaper: the children of a process that ends become its own. */

#ifndef UNO_DESCENDANTS_H
#define UNO_DESCENDANTS_H

#include <stdbool.h>
#include <sys/types.h>

/* Call found(argument, pid) for each child. Whether there are any. */
bool uno_each_child(void (*found)(void *argument, pid_t pid), void *argument);

/* Kill all that is left of them, and return when they are gone. */
void uno_kill_descendants(void);

#endif
