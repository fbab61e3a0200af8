/* A file that comes into being under its name at once, when it is whole. */

#ifndef UNO_ENGINE_ASIDE_H
#define UNO_ENGINE_ASIDE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct uno_aside {
    int file;                /* written aside; -1: dropped, or finished */
    int folder;              /* in which it is to be; -1: as `file` */
    mode_t mode;             /* permissions of the file that it replaces; 0: there is none */
    bool special;            /* it is no file, and is written as it is */
    bool foreign;            /* why it could not be opened: uno_aside_text */
    char path[PATH_MAX];     /* what it becomes, as the caller has called it, */
    char name[NAME_MAX + 1]; /* and in its folder */
    char
        aside[NAME_MAX + 1]; /* its name there until then; empty: it has none, and is gone with the process */
};

/* A file that is to become `path`, on the same file system. If there is such a file already, this one takes
 * over its permissions; if that is a symbolic link, what it points to is replaced. Returns 0 or -errno:
 * -EINVAL if `path` is something else than a file; -EACCES also if a link on the way to it, or what is there,
 * belongs neither to this user nor to the owner of a folder into which everybody may write: whoever has put
 * it there chooses what is written over, or reads it. */
int uno_aside_open(struct uno_aside *aside, const char *path);

/* Likewise; but what is something else than a file, a terminal or a pipe say, is written as it is. */
int uno_aside_open_any(struct uno_aside *aside, const char *path);

/* Return the text for an error of those two, which is given as a positive number. */
const char *uno_aside_text(const struct uno_aside *aside, int error);

/* A stream that writes at the end of it, to be closed before it is finished; NULL and errno: there is none.
 */
FILE *uno_aside_stream(const struct uno_aside *aside);

/* Give it its name, and close it. safe: only once all of it is on the disk, and the name too. Returns 0, or
 * -errno, and there is nothing left of it. */
int uno_aside_finish(struct uno_aside *aside, bool safe);

/* Forget what was written. */
void uno_aside_drop(struct uno_aside *aside);

/* Remove what a process that was killed has left of a file that was to become `path`. */
void uno_aside_sweep(const char *path, pid_t process);

/* Take away the name that it may have, and nothing else. To be called by a handler of signals. */
void uno_aside_remove(const struct uno_aside *aside);

#endif
