/* Where the program has called the library, for reports of what went wrong: found out only then, from the
 * stack, by libdw of elfutils, which is loaded for it if it is installed. */

#ifndef UNO_CALLER_H
#define UNO_CALLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { UNO_CALLER_TEXT = 256 };

/* Files whose names begin so are no callers: the library, or what stands where it does. NULL ends the list.
 * The linker collects them, as families of operations (signature.h). */
#define UNO_LIBRARIES_REGISTER(names)                                                                        \
    static const char *const *const names##_registered __attribute__((section("uno_libraries"), used)) = names

/* "; called by exchange at ring.c:42", or as much of it as is known: without debugging information "; called
 * by exchange of ring". Empty: nothing is. Returns text. */

/* Of the calling thread. */
const char *uno_caller_here(char text[UNO_CALLER_TEXT]);

/* The same for a return address, as __builtin_return_address gives it. Empty also if it is one of the
 * library. */
const char *uno_caller_at(const void *address, char text[UNO_CALLER_TEXT]);

/* Of a process below this one, or of any that it may trace: the first of its threads that is in the library.
 * The process is stopped meanwhile. */
const char *uno_caller_of(pid_t process, char text[UNO_CALLER_TEXT]);

#endif
