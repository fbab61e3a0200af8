/* Addresses of the symbols of a file that a process has loaded: by /proc, and the file's own table of dynamic
 * symbols. */

#ifndef UNO_SYMBOLS_H
#define UNO_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Write the address of each symbol in the process's memory; 0: the file lacks it. The file is the first one
 * that has names[0] of those loaded files whose names begin with `prefix`, and, if own, of the program.
 * Returns true if there is such a file. */
bool uno_symbols_find(pid_t process, const char *prefix, bool own, const char *const *names, int count,
                      uint64_t *addresses);

#endif
