#define _GNU_SOURCE
#include "aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { NAMES = 100 /* that are tried */, LINKS = 40 /* that are followed, as Linux does */ };

/* ---- where it is to be ------------------------------------------------------------------------------- */

/* Return true if another user controls the file. A user who may write into a folder can put a link there that
 * leads to a file of the process that will write to that name, or a pipe that reads it. The kernel follows
 * such links, unless fs.protected_symlinks forbids it, and then only in sticky folders. */
static bool is_foreign(int folder, const struct stat *is) {
    struct stat in;
    return fstat(folder, &in) == 0 && in.st_mode & S_IWOTH && is->st_uid != in.st_uid &&
           is->st_uid != geteuid();
}

/* A link of /proc leads to what a process has open, which its text may not name: a pipe, or a terminal. */
static int open_special(int folder, const char *name) {
    struct statfs in;
    struct stat is;
    if (fstatfs(folder, &in) || in.f_type != PROC_SUPER_MAGIC)
        return -1;
    int place = openat(folder, name, O_PATH | O_CLOEXEC);
    if (place < 0 || (fstat(place, &is) == 0 && !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode)))
        return place;
    close(place);
    return -1;
}

/* Take the first part off the rest of a path. Returns 1 if there is more, 0 if not, or -errno. */
static int next_part(char *rest, char name[NAME_MAX + 1]) {
    char *part = rest + strspn(rest, "/"), *end = part + strcspn(part, "/");
    if (end - part > NAME_MAX)
        return -ENAMETOOLONG;
    snprintf(name, NAME_MAX + 1, "%.*s", end == part ? 1 : (int)(end - part), end == part ? "." : part);
    memmove(rest, end, strlen(end) + 1);
    return *rest != 0;
}

static void enter(struct uno_aside *aside, int folder) {
    if (aside->folder >= 0)
        close(aside->folder);
    aside->folder = folder;
}

/* Open the file of the name found so far, without following a link. Returns a descriptor, or -errno. */
static int look(struct uno_aside *aside, bool last) {
    struct stat is;
    int there = openat(aside->folder, aside->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (there < 0)
        return -errno;
    if (fstat(there, &is) == 0) {
        aside->foreign = (last || S_ISLNK(is.st_mode)) && is_foreign(aside->folder, &is);
        if (!aside->foreign)
            return there;
    }
    close(there);
    return -EACCES;
}

static bool is_link(int there) {
    struct stat is;
    return fstat(there, &is) == 0 && S_ISLNK(is.st_mode);
}

/* Go on by what a link says, and then by the rest of the path. Returns 0 or -errno. */
static int follow(struct uno_aside *aside, int link, char rest[PATH_MAX]) {
    char text[PATH_MAX];
    ssize_t length = readlinkat(link, "", text, sizeof text);
    if (length < 0)
        return -errno;
    if ((size_t)length + strlen(rest) >= PATH_MAX)
        return -ENAMETOOLONG;
    memmove(rest + length, rest, strlen(rest) + 1);
    memcpy(rest, text, (size_t)length);
    if (*rest == '/')
        enter(aside, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    return 0;
}

/* Find the folder of a path, the name in it, and the file of that name: *place, -1 if there is none. Returns
 * 0 or -errno. */
static int find(struct uno_aside *aside, int *place) {
    char rest[PATH_MAX];
    strcpy(rest, aside->path);
    *place = -1;
    enter(aside, open(*rest == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    for (int links = 0; links <= LINKS;) {
        int more = next_part(rest, aside->name), there = more < 0 ? more : look(aside, !more);
        if (there < 0)
            return there == -ENOENT && !more ? 0 : there;
        if (!is_link(there)) {
            if (more)
                enter(aside, there);
            else
                *place = there;
            if (!more)
                return 0;
            continue;
        }
        int error = 0;
        if (!more)
            *place = open_special(aside->folder, aside->name);
        if (*place < 0 && links++ < LINKS)
            error = follow(aside, there, rest);
        close(there);
        if (error || *place >= 0)
            return error;
    }
    return -ELOOP;
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* The names beside the file's own that a process tries, one after the other. Whether there is such a name. */
static bool name_aside(struct uno_aside *aside, pid_t process, unsigned try) {
    int length = snprintf(aside->aside, sizeof aside->aside, "%s.%u-%u", aside->name, (unsigned)process, try);
    return length < (int)sizeof aside->aside;
}

/* Find a name beside the file's own that no file has, by give(aside), which returns 0 or -errno. */
static int find_name(struct uno_aside *aside, int (*give)(struct uno_aside *aside)) {
    int error = -EEXIST;
    for (unsigned try = 0; try < NAMES && error == -EEXIST; try++)
        error = name_aside(aside, getpid(), try) ? give(aside) : -ENAMETOOLONG;
    if (error)
        aside->aside[0] = 0;
    return error;
}

static int create(struct uno_aside *aside) {
    aside->file = openat(aside->folder, aside->aside, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    return aside->file < 0 ? -errno : 0;
}

/* The way to a file that has no name. */
static void way_to(char self[64], int file) {
    snprintf(self, 64, "/proc/self/fd/%d", file);
}

/* Open a file without a name in the folder. Returns -1 if the system has none, or could not give it a name
 * later; then errno says why. */
static int open_nameless(int folder) {
    int file = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    char self[64];
    way_to(self, file);
    if (file < 0 || access(self, F_OK) == 0)
        return file;
    close(file); /* there is no /proc */
    errno = EOPNOTSUPP;
    return -1;
}

/* Give a file without a name one that no file has. */
static int link_as(const struct uno_aside *aside, const char *name) {
    char self[64];
    way_to(self, aside->file);
    return linkat(AT_FDCWD, self, aside->folder, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

static int link_aside(struct uno_aside *aside) {
    return link_as(aside, aside->aside);
}

/* ---- opening it -------------------------------------------------------------------------------------- */

/* Open the file in the way that fits the present file, `place`, or -1 if there is none. Returns 0 or
 * -errno. */
static int open_for(struct uno_aside *aside, int place, bool special) {
    char again[64];
    struct stat old;
    way_to(again, place);
    if (place >= 0 && fstat(place, &old))
        return -errno;
    if (place >= 0 && !S_ISREG(old.st_mode)) {
        aside->file = special ? open(again, O_WRONLY | O_NOCTTY | O_CLOEXEC) : -1;
        aside->special = special;
        return aside->file >= 0 ? 0 : special ? -errno : -EINVAL;
    }
    if (place >= 0) /* no right to be the owner of what somebody else has made */
        aside->mode = old.st_mode & (old.st_uid == geteuid() ? 07777 : 0777);
    aside->file = open_nameless(aside->folder);
    if (aside->file >= 0)
        return 0;
    /* only where the system has no files without a name */
    return errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL ? find_name(aside, create) : -errno;
}

static int open_at(struct uno_aside *aside, const char *path, bool special) {
    int place;
    *aside = (struct uno_aside){.file = -1, .folder = -1};
    if (!*path)
        return -ENOENT;
    if (snprintf(aside->path, PATH_MAX, "%s", path) >= PATH_MAX)
        return -ENAMETOOLONG;
    int error = find(aside, &place);
    if (!error)
        error = open_for(aside, place, special);
    if (place >= 0)
        close(place);
    if (error)
        enter(aside, -1);
    return error;
}

int uno_aside_open(struct uno_aside *aside, const char *path) {
    return open_at(aside, path, false);
}

int uno_aside_open_any(struct uno_aside *aside, const char *path) {
    return open_at(aside, path, true);
}

const char *uno_aside_text(const struct uno_aside *aside, int error) {
    return aside->foreign ? "another user's link or file is there, in a folder into which everybody may write"
                          : strerror(error);
}

FILE *uno_aside_stream(const struct uno_aside *aside) {
    int file = fcntl(aside->file, F_DUPFD_CLOEXEC, 0);
    FILE *f = file < 0 ? NULL : fdopen(file, "a");
    if (!f && file >= 0)
        close(file);
    return f;
}

/* ---- for other machines ------------------------------------------------------------------------------ */

int uno_aside_show(struct uno_aside *aside, uint64_t *name) {
    unsigned process, try;
    int error = aside->aside[0] ? 0 : find_name(aside, link_aside);
    if (!error && sscanf(aside->aside + strlen(aside->name), ".%u-%u", &process, &try) == 2)
        *name = (uint64_t)process << 32 | try;
    return error;
}

int uno_aside_join(const char *path, uint64_t name, int flags) {
    struct uno_aside aside = {.file = -1, .folder = -1};
    int place = -1;
    if (snprintf(aside.path, PATH_MAX, "%s", path) >= PATH_MAX)
        return -ENAMETOOLONG;
    int result = find(&aside, &place);
    if (!result && !name_aside(&aside, (pid_t)(name >> 32), (unsigned)name))
        result = -ENAMETOOLONG;
    if (!result && (result = openat(aside.folder, aside.aside, flags | O_NOFOLLOW)) < 0)
        result = -errno;
    if (place >= 0)
        close(place);
    enter(&aside, -1);
    return result;
}

/* ---- the end ----------------------------------------------------------------------------------------- */

/* The name of a file is on the disk when its folder is. */
static void sync_folder(const struct uno_aside *aside) {
    int fd = openat(aside->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* Give the file its name. A link replaces no file, and only a named file can be renamed: so a file that
 * replaces another one has a second name for a moment. */
static int take_path(struct uno_aside *aside) {
    if (!aside->aside[0]) {
        int error = link_as(aside, aside->name);
        if (error == -EEXIST)
            error = find_name(aside, link_aside);
        if (error || !aside->aside[0])
            return error;
    }
    if (renameat(aside->folder, aside->aside, aside->folder, aside->name))
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
        sync_folder(aside);
    return 0;
}

int uno_aside_finish(struct uno_aside *aside, bool safe) {
    int error = aside->special ? 0 : name(aside, safe);
    if (error) {
        uno_aside_drop(aside);
        return error;
    }
    int file = aside->file;
    aside->file = -1;
    enter(aside, -1);
    return close(file) ? -errno : 0;
}

void uno_aside_drop(struct uno_aside *aside) {
    if (aside->file >= 0)
        close(aside->file);
    uno_aside_remove(aside);
    aside->file = -1;
    aside->aside[0] = 0;
    enter(aside, -1);
}

void uno_aside_sweep(const char *path, pid_t process) {
    struct uno_aside aside = {.file = -1, .folder = -1};
    int place = -1;
    if (snprintf(aside.path, PATH_MAX, "%s", path) < PATH_MAX && find(&aside, &place) == 0)
        for (unsigned try = 0; name_aside(&aside, process, try); try++)
            if (unlinkat(aside.folder, aside.aside, 0))
                break;
    if (place >= 0)
        close(place);
    enter(&aside, -1);
}

void uno_aside_remove(const struct uno_aside *aside) {
    if (aside->aside[0])
        unlinkat(aside->folder, aside->aside, 0);
}
