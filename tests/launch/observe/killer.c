/* Loaded before the launcher. KILLER=nameless: its file system has no files without a name. KILLER=write or
 * rename: it is killed, too, when it has written something, or is about to rename a file. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

static bool is(const char *word) {
    const char *killer = getenv("KILLER");
    return killer && strstr(killer, word);
}

int openat(int folder, const char *path, int flags, ...) {
    static int (*next)(int, const char *, int, ...);
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "openat");
    if ((flags & O_TMPFILE) == O_TMPFILE && is("nameless")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return next(folder, path, flags, mode);
}

int fclose(FILE *f) {
    static int (*next)(FILE *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "fclose");
    if (is("write") && ftell(f) > 0) {
        fflush(f);
        raise(SIGKILL);
    }
    return next(f);
}

int renameat(int from, const char *path, int to, const char *name) {
    static int (*next)(int, const char *, int, const char *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "renameat");
    if (is("rename"))
        raise(SIGKILL);
    return next(from, path, to, name);
}
