/* The processes below this one, whoever started them. Meant for a process that is a subreaper: the children
 * of a process that ends become its own. */

#ifndef UNO_DESCENDANTS_H
#define UNO_DESCENDANTS_H

#include <stdbool.h>
#include <sys/types.h>

/* What /proc says of a process: its state letter ('R' running, 'T' stopped ...) and its parent. Whether the
 * process exists. */
bool uno_process_look(pid_t pid, char *state, pid_t *parent);

/* Whether the process is a child of this one, or a child of such a child, and so on. */
bool uno_is_descendant(pid_t pid);

/* Kill all that is left of them, and return when they are gone. */
void uno_kill_descendants(void);

#endif
