/* Who has called an entry: the program, also by way of a library that passes its calls on. */

#ifndef UNO_SEEN_CALLER_H
#define UNO_SEEN_CALLER_H

#include <stdbool.h>
#include <stddef.h>

/* Look for the libraries that pass calls on: Unisono's own for Fortran. */
void uno_seen_callers_find(void);

/* Return the address from which the program has called, of an entry's return address and its frame. */
const void *uno_seen_caller(const void *address, const void *frame);

#endif
