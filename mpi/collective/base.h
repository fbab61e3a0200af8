/* What everything in mpi/ stands on: memory, words to the user, and the end of the program. It imports
 * nothing of the rest. */

#ifndef UNO_BASE_H
#define UNO_BASE_H

#include <stddef.h>

/* rank: this process's number in what it says; end: ends the program, all ranks of it. */
void uno_base_start(int rank, void (*end)(void));

/* Say something on standard error, with this rank's number. */
void uno_base_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Say it, and end the program, all ranks. */
void uno_base_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Zeroed memory, to be freed. Ends the program if there is none. */
void *uno_base_allocate(size_t count, size_t size);

static inline size_t uno_least(size_t a, size_t b) {
    return a < b ? a : b;
}

#endif
