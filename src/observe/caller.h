/* Who has called an entry: the program, also by way of a library that passes its calls on. */

#ifndef UNO_SEEN_CALLER_H
#define UNO_SEEN_CALLER_H

#include <stdbool.h>
#include <stddef.h>

/* Look for the libraries that pass calls on: Unisono's own for Fortran, and a binding for Python. */
void uno_seen_callers_find(void);

/* Return the address from which the program has called, of an entry's return address and its frame. In the
 * first thread of a program of Python's it is a number that stands for the line. */
const void *uno_seen_caller(const void *address, const void *frame);

/* Write the line of Python's that this thread is in, "script.py:12", if the address is such a number, and the
 * function that it calls by Python's name, "unisono.recv"; empty: it has none. Each takes so many bytes. */
bool uno_seen_caller_text(const void *address, char *function, char *text, size_t bytes);

#endif
