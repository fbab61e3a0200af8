/* A file that comes into being under its name at once, when it is whole. */

#ifndef UNO_ENGINE_ASIDE_H
#define UNO_ENGINE_ASIDE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct uno_aside {
    int file;             /* written aside; -1: dropped, or finished */
    mode_t mode;          /* permissions of the file that it replaces; 0: there is none */
    char path[PATH_MAX];  /* what it becomes */
    char aside[PATH_MAX]; /* its name until then; empty: it has none, and is gone with the process */
};

/* A file that is to become `path`, on the same file system. If there is such a file already, this one takes
 * over its permissions; if that is a symbolic link, what it points to is replaced. Returns 0 or -errno:
 * -EINVAL if `path` is something else than a file. */
int uno_aside_open(struct uno_aside *aside, const char *path);

/* A stream that writes at the end of it, to be closed before it is finished; NULL and errno: there is none.
 */
FILE *uno_aside_stream(const struct uno_aside *aside);

/* Give it its name, and close it. safe: only once all of it is on the disk, and the name too. Returns 0, or
 * -errno, and there is nothing left of it. */
int uno_aside_finish(struct uno_aside *aside, bool safe);

/* Forget what was written. */
void uno_aside_drop(struct uno_aside *aside);

#endif
