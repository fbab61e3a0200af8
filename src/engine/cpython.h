/* Where CPython's interpreter is in a process, and how its structures are laid out. */

#ifndef UNO_CPYTHON_H
#define UNO_CPYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Offsets in CPython's structures. They are the same in all releases of a version on 64-bit machines. */
struct uno_cpython_layout {
    unsigned version;                   /* 0x030B: 3.11 */
    int interpreters, next_interpreter; /* in the runtime; in an interpreter */
    int threads, next_thread;           /* in an interpreter; in a thread */
    int native;                         /* in a thread: its number in the kernel; -1: it has none */
    int frame;  /* the innermost frame: in a thread, or behind the pointer `frames` of it */
    int frames; /* in a thread; -1: `frame` is in the thread itself */
    int code, previous, instruction; /* in a frame */
    int owner;                       /* in a frame; -1: every frame is of a Python function */
    int filename, name, first_line, lines, instructions; /* in a code; `lines` is the table of lines */
    int text;      /* bytes before the characters of a string of ASCII */
    int text_wide; /* bytes before those of any other string */
};

/* Values in CPython's structures. */
enum {
    UNO_CPYTHON_C = 3,   /* a frame with this owner, or a greater one, is of the interpreter's loop */
    UNO_CPYTHON_TAG = 3, /* bits of a pointer in a frame that are none of the address, since 3.14 */
};

/* A place in a program of Python's: a function's code, and its instruction as the frame has it. */
struct uno_cpython_at {
    uint64_t code; /* 0: none */
    uint64_t instruction;
};

/* The interpreter of a process. */
struct uno_cpython {
    int memory;       /* a descriptor of the memory of the process */
    uint64_t runtime; /* the address of the interpreter's state */
    struct uno_cpython_layout layout;
};

/* Find the interpreter. False: the process has none of a version that is known. Otherwise it is closed by
 * uno_cpython_close. */
bool uno_cpython_open(struct uno_cpython *python, pid_t process);
void uno_cpython_close(struct uno_cpython *python);

/* Read memory of its process. Return false if it is not there. */
bool uno_cpython_read(const struct uno_cpython *python, uint64_t at, void *to, size_t bytes);

/* Return the word at an address; 0 also if it cannot be read. */
uint64_t uno_cpython_word(const struct uno_cpython *python, uint64_t at);

/* Return the interpreter's state of a thread of that process; 0: it has none. */
uint64_t uno_cpython_thread(const struct uno_cpython *python, pid_t process, pid_t thread);

/* ---- the calling thread ------------------------------------------------------------------------------ */

/* The state by which a thread notes its place in Python without a call of the system. */
struct uno_cpython_here {
    const uint64_t *interpreters; /* 0 once the interpreter has ended */
    uint64_t thread;
    struct uno_cpython_layout layout;
};

/* Prepare that for the first thread of this process. False: the process is no interpreter of Python's, or
 * this is another thread, whose state may go before it. */
bool uno_cpython_here_open(struct uno_cpython_here *here);

/* Return true if that thread is the only one of Python's in the process. */
bool uno_cpython_here_alone(const struct uno_cpython_here *here);

/* Return the place at which this thread is: in the innermost function of Python's that it has called. */
struct uno_cpython_at uno_cpython_here(const struct uno_cpython_here *here);

/* Write that place and those of the functions that have called it, at most so many. Return their number. */
size_t uno_cpython_here_all(const struct uno_cpython_here *here, struct uno_cpython_at *at, size_t most);

#endif
