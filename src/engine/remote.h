/* The memory of another process, copied from and to by the kernel, where it allows that. */

#ifndef UNO_REMOTE_H
#define UNO_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False: not all of it could be copied, and what has been is not known. */
bool uno_remote_read(int pid, uint64_t from, void *to, size_t bytes);
bool uno_remote_write(int pid, uint64_t to, const void *data, size_t bytes);

/* A value for a word of this process, by which others see whether they reach it: no other process has it. 0:
 * they are not to try, for this one runs under valgrind. */
uint64_t uno_remote_sample(void);

/* Whether that is there. The process id of one that runs in another container names a stranger here, or
 * nobody. */
bool uno_remote_has(int pid, uint64_t at, uint64_t sample);

#endif
