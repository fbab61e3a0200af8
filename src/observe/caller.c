#define _GNU_SOURCE
#include "caller.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "below.h"
#include "engine/expect.h"
#include "engine/interpreter.h"

/* Where the code of such a library begins, and its length; 0: it is not there. */
static struct range { uintptr_t start, length; } fortran, python;
static struct uno_cpython_here interpreter;
static _Thread_local bool first; /* this is the thread for which the interpreter was prepared */

/* Numbers for lines of Python are odd, and above all addresses of programs. */
static const uintptr_t LINE = (uintptr_t)1 << 63 | 1;

static bool is_in(const void *address, const struct range *range) {
    return (uintptr_t)address - range->start < range->length;
}

static int look(struct dl_phdr_info *info, size_t size, void *argument) {
    (void)size;
    (void)argument;
    const char *name = info->dlpi_name ? info->dlpi_name : "";
    bool is_fortran = strstr(name, "unisono/mpi/lib/others/libmpifort.so") ||
                      strstr(name, "unisono/mpi/lib/others/libmpi_mpifh.so");
    bool is_python = strstr(name, uno_seen_below->python);
    struct range *range = is_fortran ? &fortran : is_python ? &python : NULL;
    for (int i = 0; range && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            range->start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            range->length = info->dlpi_phdr[i].p_memsz;
        }
    return 0;
}

void uno_seen_callers_find(void) {
    dl_iterate_phdr(look, NULL);
    first = python.length && uno_cpython_here_open(&interpreter);
}

/* Return a number for the line of Python's that this thread is in, or the address if it is in none. The
 * innermost functions may be those of a binding, which several lines call. */
static const void *line(const void *address) {
    enum { FRAMES = 3 };
    struct uno_cpython_at at[FRAMES];
    size_t frames = first ? uno_cpython_here_all(&interpreter, at, FRAMES) : 0;
    uint64_t hash = 0;
    for (size_t i = 0; i < frames; i++)
        hash = (hash ^ at[i].code * 31 ^ at[i].instruction) * UINT64_C(0x9e3779b97f4a7c15);
    return frames ? (const void *)(uintptr_t)(hash << 1 | LINE) : address;
}

const void *uno_seen_caller(const void *address, const void *frame) {
    if (UNO_UNLIKELY(is_in(address, &fortran))) {
        /* its functions are compiled with frame pointers */
        const void *const *own = frame, *const *above = own[0];
        return above[1];
    }
    return UNO_UNLIKELY(is_in(address, &python)) ? line(address) : address;
}

bool uno_seen_caller_text(const void *address, char *function, char *text, size_t bytes) {
    static const char CALLED[] = ", called ";
    if (((uintptr_t)address & LINE) != LINE || !uno_interpreter_place(getpid(), gettid(), text, bytes))
        return false;
    char *called = strstr(text, CALLED), *line = text; /* of "unisono.recv, called by work at script.py:12" */
    snprintf(function, bytes, "%.*s", called ? (int)(called - text) : 0, text);
    for (char *at = text; (at = strstr(at, "at ")); at += 3)
        line = at + 3;
    memmove(text, line, strlen(line) + 1);
    return true;
}
