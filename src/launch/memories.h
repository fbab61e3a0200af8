/* Memory without a name, found among what this user's processes have open. */

#ifndef UNO_MEMORIES_H
#define UNO_MEMORIES_H

#include <stdbool.h>
#include <sys/types.h>

/* Call found(argument, process, fd) for each memory that uno_kernel_memory made with this name for this user,
 * and that a process of this user has open: fd is opened as by `flags`, and closed afterwards. Stops when a
 * call returns true, and returns whether one did. Memory that another user has made is never opened,
 * whichever process has it. errno is 0, unless the processes cannot be listed. */
bool uno_memories(const char *name, int flags, bool (*found)(void *argument, pid_t process, int fd),
                  void *argument);

#endif
