/* A file that appears under its name only when it is complete. Until then it is written aside. */

#ifndef UNO_ENGINE_ASIDE_H
#define UNO_ENGINE_ASIDE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct uno_aside {
    int file;                /* the file that is written; -1: dropped, or finished */
    int folder;              /* the folder of the path; -1: as `file` */
    mode_t mode;             /* permissions of the file that will be replaced; 0: there is none */
    bool special;            /* the path is no regular file, and is written directly */
    bool foreign;            /* another user controls the path (uno_aside_text) */
    char path[PATH_MAX];     /* the path that it will have, as the caller named it, */
    char name[NAME_MAX + 1]; /* and its name in the folder */
    char
        aside[NAME_MAX + 1]; /* its name there until then; empty: it has none, and is gone with the process */
};

/* Open a file that will become `path`, on the same file system. If there is a file of that name, the new one
 * gets its permissions; if that is a symbolic link, its target is replaced. Returns 0 or -errno: -EINVAL if
 * `path` is no regular file; -EACCES also if a link on the way to it, or the present file, belongs neither to
 * this user nor to the owner of a folder into which everybody may write: its owner could choose which file is
 * overwritten, or read the data. */
int uno_aside_open(struct uno_aside *aside, const char *path);

/* As uno_aside_open, but a path that is no regular file, such as a terminal or a pipe, is written
 * directly. */
int uno_aside_open_any(struct uno_aside *aside, const char *path);

/* Return the text for an error of those two functions, which is passed as a positive number. */
const char *uno_aside_text(const struct uno_aside *aside, int error);

/* Return a stream that writes at the end of the file; the caller closes it before uno_aside_finish. NULL and
 * errno: there is none. */
FILE *uno_aside_stream(const struct uno_aside *aside);

/* Give the file a name beside its path at once, by which processes on other machines can open it. *name: a
 * number that tells them which. Returns 0 or -errno. */
int uno_aside_show(struct uno_aside *aside, uint64_t *name);

/* Open the file that a process on another machine writes aside of `path`, and has shown by this number, with
 * the flags of open(2). Returns a descriptor, or -errno. */
int uno_aside_join(const char *path, uint64_t name, int flags);

/* Give the file its name, and close it. safe: wait until the file and its name are on the disk. Returns 0; or
 * -errno, and then nothing of it is left. */
int uno_aside_finish(struct uno_aside *aside, bool safe);

/* Drop the file and its content. */
void uno_aside_drop(struct uno_aside *aside);

/* Remove the file that a killed process has left while it wrote `path`. */
void uno_aside_sweep(const char *path, pid_t process);

/* Remove the file's temporary name, if it has one, and do nothing else. A signal handler may call this. */
void uno_aside_remove(const struct uno_aside *aside);

#endif
