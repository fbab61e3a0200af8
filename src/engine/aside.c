#define _GNU_SOURCE
#include "aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES = 100 /* that are tried */ };

/* The folder of a path. */
static void folder_of(char folder[PATH_MAX], const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        snprintf(folder, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* Find a name beside the path that no file has, by give(aside), which returns 0 or -errno. */
static int find_name(struct uno_aside *aside, int (*give)(struct uno_aside *aside)) {
    int error = -EEXIST;
    for (unsigned try = 0; try < NAMES && error == -EEXIST; try++) {
        int length = snprintf(aside->aside, PATH_MAX, "%s.%u-%u", aside->path, (unsigned)getpid(), try);
        error = length < PATH_MAX ? give(aside) : -ENAMETOOLONG;
    }
    if (error)
        aside->aside[0] = 0;
    return error;
}

static int create(struct uno_aside *aside) {
    aside->file = open(aside->aside, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    return aside->file < 0 ? -errno : 0;
}

/* The way to a file that has no name. */
static void way_to(char self[64], int file) {
    snprintf(self, 64, "/proc/self/fd/%d", file);
}

/* Open a file without a name in the folder. Returns -1 if the system has none, or could not give it a name
 * later; then errno says why. */
static int open_nameless(const char *folder) {
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    char self[64];
    way_to(self, file);
    if (file < 0 || access(self, F_OK) == 0)
        return file;
    close(file); /* there is no /proc */
    errno = EOPNOTSUPP;
    return -1;
}

/* Give a file without a name one that no file has. */
static int link_as(const struct uno_aside *aside, const char *path) {
    char self[64];
    way_to(self, aside->file);
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

static int link_aside(struct uno_aside *aside) {
    return link_as(aside, aside->aside);
}

int uno_aside_open(struct uno_aside *aside, const char *path) {
    struct stat old;
    char folder[PATH_MAX];
    *aside = (struct uno_aside){.file = -1};
    if (!*path)
        return -ENOENT;
    if (stat(path, &old) == 0) {
        if (!S_ISREG(old.st_mode))
            return -EINVAL;
        aside->mode = old.st_mode & 07777;
        if (!realpath(path, aside->path))
            return -errno;
    } else if (snprintf(aside->path, PATH_MAX, "%s", path) >= PATH_MAX) {
        return -ENAMETOOLONG;
    }
    folder_of(folder, aside->path);
    aside->file = open_nameless(folder);
    if (aside->file >= 0)
        return 0;
    /* only where the system has no files without a name */
    return errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL ? find_name(aside, create) : -errno;
}

FILE *uno_aside_stream(const struct uno_aside *aside) {
    int file = fcntl(aside->file, F_DUPFD_CLOEXEC, 0);
    FILE *f = file < 0 ? NULL : fdopen(file, "a");
    if (!f && file >= 0)
        close(file);
    return f;
}

/* The name of a file is on the disk when its folder is. */
static void sync_folder(const char *path) {
    char folder[PATH_MAX];
    folder_of(folder, path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* A link replaces no file, and only what has a name can be renamed: a file that replaces another one has a
 * name beside that for a moment. */
static int take_path(struct uno_aside *aside) {
    if (!aside->aside[0]) {
        int error = link_as(aside, aside->path);
        if (error == -EEXIST)
            error = find_name(aside, link_aside);
        if (error || !aside->aside[0])
            return error;
    }
    if (rename(aside->aside, aside->path))
        return -errno;
    aside->aside[0] = 0;
    return 0;
}

static int name(struct uno_aside *aside, bool safe) {
    if (aside->mode && fchmod(aside->file, aside->mode))
        return -errno;
    if (safe && fsync(aside->file))
        return -errno;
    int error = take_path(aside);
    if (error)
        return error;
    if (safe)
        sync_folder(aside->path);
    return 0;
}

int uno_aside_finish(struct uno_aside *aside, bool safe) {
    int error = name(aside, safe);
    if (error) {
        uno_aside_drop(aside);
        return error;
    }
    int file = aside->file;
    aside->file = -1;
    return close(file) ? -errno : 0;
}

void uno_aside_drop(struct uno_aside *aside) {
    if (aside->file >= 0)
        close(aside->file);
    if (aside->aside[0])
        unlink(aside->aside);
    aside->file = -1;
    aside->aside[0] = 0;
}
