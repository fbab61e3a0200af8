/* Where a program of Python is: the interpreter's frames, read from the memory of its process, as py-spy
 * does. Nothing is stopped and no lock of the interpreter is taken, so the thread should wait: then its
 * frames stay as they are. */

#ifndef UNO_INTERPRETER_H
#define UNO_INTERPRETER_H

#include "cpython.h"

/* Return true if the thread of that process is in a function of Python's, and write which one: "called by
 * work at script.py:42"; "called at script.py:42" is outside of all functions. The innermost one counts that
 * is none of a binding's own, as mpi4py's. A function of this library's package that it has called comes
 * first: "unisono.recv, called by work at script.py:42". CPython 3.10 to 3.14. */
bool uno_interpreter_place(pid_t process, pid_t thread, char *text, size_t bytes);

/* Write in the same words the places that a thread of that process has noted (uno_cpython_here): each takes
 * so many bytes of text, and is empty if it is not known. A function that is gone since may be another one by
 * now. */
void uno_interpreter_places(pid_t process, const struct uno_cpython_at *at, size_t count, size_t bytes,
                            char *text);

#endif
