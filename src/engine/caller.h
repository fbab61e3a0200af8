/* The place at which the program called the library, for error reports. It is found only when it is needed,
 * from the stack, by libdw of elfutils, which is loaded then if it is installed. */

#ifndef UNO_CALLER_H
#define UNO_CALLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { UNO_CALLER_TEXT = 256 };

/* Register the beginnings of the names of files that are never the caller: the library itself, and what is
 * loaded in its place. NULL ends the list. The linker collects the lists, as it does families of operations
 * (signature.h). */
#define UNO_LIBRARIES_REGISTER(names)                                                                        \
    static const char *const *const names##_registered __attribute__((section("uno_libraries"), used)) = names

/* The functions below write "; called by exchange at ring.c:42", or as much of it as is known: without
 * debugging information "; called by exchange of ring". In a program of Python the place is a
 * line of Python: "; called by work at script.py:12". The text is empty if nothing is known. They return
 * text. */

/* Write the caller of the calling thread. */
const char *uno_caller_here(char text[UNO_CALLER_TEXT]);

/* Write the caller that a return address (__builtin_return_address) belongs to. The text is empty also if the
 * address is in the library. */
const char *uno_caller_at(const void *address, char text[UNO_CALLER_TEXT]);

/* Write the callers that return addresses in another process belong to, as uno_caller_at does. The process
 * goes on. */
void uno_callers_in(pid_t process, const uint64_t *address, size_t count, char (*text)[UNO_CALLER_TEXT]);

/* Write the caller in another process: that of its first thread that is in the library. The process is a
 * descendant of this one, or one that it may trace, and is stopped meanwhile. */
const char *uno_caller_of(pid_t process, char text[UNO_CALLER_TEXT]);

#endif
