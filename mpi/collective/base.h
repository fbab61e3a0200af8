/* Helpers for everything in mpi/: memory, messages to the user, and the end of the program. This file uses
 * nothing else of mpi/. */

#ifndef UNO_BASE_H
#define UNO_BASE_H

#include <stddef.h>

/* Set this process's rank, for its messages, and the function that ends the program on all ranks. */
void uno_base_start(int rank, void (*end)(void));

/* Write a message to standard error, with this rank's number. */
void uno_base_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Write a message, and end the program on all ranks. */
void uno_base_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Allocate zeroed memory, to be freed by the caller. Ends the program if there is none. */
void *uno_base_allocate(size_t count, size_t size);

static inline size_t uno_least(size_t a, size_t b) {
    return a < b ? a : b;
}

#endif
