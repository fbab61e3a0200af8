/* Memory without a name, found among what this user's processes have open. */

#ifndef UNO_MEMORIES_H
#define UNO_MEMORIES_H

#include <stdbool.h>
#include <sys/types.h>

/* Call found(argument, process, fd) for each memory that uno_kernel_memory made with this name for this user,
 * and that a process of this user has open: opened as by `flags`, and closed afterwards. Until it returns
 * true; whether it did. What another user has made is never opened, whoever has it. errno is 0, unless the
 * processes cannot be listed. */
bool uno_memories(const char *name, int flags, bool (*found)(void *argument, pid_t process, int fd),
                  void *argument);

#endif
