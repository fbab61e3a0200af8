/* p_open and p_close. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/nodes.h"
#include "window.h"

static const char different[] = "open different files, or in different modes";

/* FNV-1a, of path and mode. */
static uint64_t hash(const char *path, const char *mode) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *path; path++)
        h = (h ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
    for (; *mode; mode++)
        h = (h ^ 256 ^ (unsigned char)*mode) * UINT64_C(0x100000001b3);
    return h;
}

enum { DEVICE_AT = 40 /* the bit from which on the number of a file's device is in the next one */ };

/* Return a number by which members see that they have opened the same file; not 0. */
static uint64_t which(int fd) {
    struct stat is;
    return fstat(fd, &is) ? 0 : ((uint64_t)is.st_ino ^ (uint64_t)is.st_dev << DEVICE_AT) | UINT64_C(1) << 63;
}

static int flags_of(const struct uno_file *file) {
    return (file->writes ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK; /* or a pipe would wait */
}

/* Open it where it is. Returns 0 or an errno. */
static int open_there(struct uno_file *file) {
    file->fd = open(file->path, flags_of(file));
    if (file->fd < 0)
        return errno;
    /* something without positions, such as a pipe, is no file here */
    return lseek(file->fd, 0, SEEK_CUR) < 0 ? errno : 0;
}

/* Open the file, in the first member. */
static int open_first(struct uno_file *file, bool anew) {
    if (!anew)
        return open_there(file);
    file->aside = malloc(sizeof *file->aside);
    if (!file->aside)
        return ENOMEM;
    int error = uno_aside_open(file->aside, file->path);
    file->fd = file->aside->file;
    if (!error)
        return 0;
    free(file->aside);
    file->aside = NULL;
    return error == -EINVAL ? open_there(file) : -error; /* a device */
}

/* Remove the names of unfinished files when the process ends early; after p_exit there are none. */
static void remove_shown(void) {
    struct uno_files *files = uno_self->files;
    for (int i = 0; files && i < files->count; i++)
        if (files->file[i] && files->file[i]->aside)
            uno_aside_remove(files->file[i]->aside);
}

/* Give an unfinished file the name by which other machines open it. Returns 0 or an errno. */
static int show(struct uno_files *files, struct uno_file *file, uint64_t *name) {
    if (!files->removes && atexit(remove_shown))
        return ENOMEM;
    files->removes = true;
    return -uno_aside_show(file->aside, name);
}

/* Open, in a member on another machine than the first one, the file that the first has open: one that is
 * written anew by the name that it has until then, 0 if it is not, any other by its path. A machine has its
 * own numbers for file systems, so that of the file alone is compared. */
static int open_far(struct uno_file *file, uint64_t aside, uint64_t is) {
    file->fd = aside ? uno_aside_join(file->path, aside, flags_of(file)) : open(file->path, flags_of(file));
    if (file->fd < 0)
        return aside ? -file->fd : errno;
    return (which(file->fd) ^ is) << (64 - DEVICE_AT) ? ESTALE : 0;
}

/* Open, in another member, the file that the first has open under this descriptor. */
static int open_again(const struct uno_pe *pe, struct uno_file *file, uint64_t fd, uint64_t is) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pe->job->board[pe->group.first].pid, (int)fd);
    file->fd = open(path, flags_of(file));
    if (file->fd >= 0 && which(file->fd) == is)
        return 0;
    int error = file->fd < 0 ? errno : ESTALE; /* where process ids mean something else */
    if (file->fd >= 0)
        close(file->fd);
    file->fd = open(file->path, flags_of(file));
    return file->fd >= 0 && which(file->fd) == is ? 0 : error;
}

/* Room for one more; its number, or -1: there is no memory. */
static int take_number(struct uno_files *files) {
    int number = 0;
    while (number < files->count && files->file[number])
        number++;
    if (number < files->count)
        return number;
    int count = files->count ? 2 * files->count : 4;
    struct uno_file **grown = realloc(files->file, (size_t)count * sizeof *grown);
    if (!grown)
        return -1;
    memset(grown + files->count, 0, (size_t)(count - files->count) * sizeof *grown);
    files->file = grown;
    files->count = count;
    return number;
}

/* A file that nobody has opened yet. NULL: there is no memory. */
static struct uno_file *make(const struct uno_pe *pe, const char *path, bool writes) {
    struct uno_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return NULL;
    }
    file->fd = -1;
    file->writes = writes;
    file->group = pe->group;
    return file;
}

/* Open the file in all members, and give it an id. same: as in the meeting. */
static struct uno_file_seen open_all(struct uno_pe *pe, struct uno_file *file, bool anew, uint64_t same) {
    bool first = pe->group.rank == 0, apart = uno_nodes_far(pe, pe->group.mask) >= 0;
    struct uno_file_told told = {.same = same};
    uint64_t aside = 0;
    if (first) {
        told.error = (uint64_t)open_first(file, anew);
        told.bytes = told.wanted = told.error ? 0 : (uint64_t)file->fd;
        told.given = told.error ? 0 : which(file->fd);
    }
    struct uno_file_seen seen = uno_file_meet(pe, UNO_P_OPEN, &told, different), shown = seen;
    if (!seen.error && apart) { /* only processes of one machine open each other's files */
        if (file->aside)
            told.error = (uint64_t)show(pe->files, file, &aside);
        told.given = aside;
        shown = uno_file_meet(pe, UNO_P_OPEN, &told, different);
    }
    if (shown.error)
        return shown;
    if (first)
        told.given = (uint64_t)pe->me << 32 | ++pe->files->made;
    else if (uno_is_far(pe, pe->group.first))
        told.error = (uint64_t)open_far(file, shown.given, seen.given);
    else
        told.error = (uint64_t)open_again(pe, file, seen.all, seen.given);
    return uno_file_meet(pe, UNO_P_OPEN, &told, different);
}

int p_open(const char *path, const char *mode) {
    struct uno_pe *pe = uno_file_pe(UNO_P_OPEN);
    if (!path || !mode)
        uno_fail(pe, "p_open: a null pointer for the %s", path ? "mode" : "path");
    bool anew = strcmp(mode, "w") == 0, writes = anew || strcmp(mode, "r+") == 0;
    if (!writes && strcmp(mode, "r") != 0)
        uno_fail(pe, "p_open: the mode is \"%.20s\"; there are \"r\", \"r+\" and \"w\"", mode);
    struct uno_file *file = make(pe, path, writes);
    int number = take_number(pe->files);
    if (!file || number < 0)
        uno_fail(pe, "p_open: out of memory");
    struct uno_file_seen seen = open_all(pe, file, anew, hash(path, mode));
    if (seen.error) {
        uno_file_free(file);
        return uno_file_failed(pe, path, "open it", seen.error, seen.culprit);
    }
    file->id = seen.given;
    pe->files->file[number] = file;
    return number;
}

/* Write the rest of the first member's window, and give the file its name. The first member calls this.
 * Returns 0 or an errno. */
static int finish(struct uno_pe *pe, struct uno_file *file) {
    uno_window_flush(pe, file);
    if (file->window.error || !file->aside)
        return file->window.error;
    file->fd = -1;
    return -uno_aside_finish(file->aside, false);
}

int p_close(int number) {
    struct uno_pe *pe = uno_file_pe(UNO_P_CLOSE);
    struct uno_file *file = uno_file_of(pe, UNO_P_CLOSE, number);
    struct uno_file_told told = {.id = file->id, .error = (uint64_t)file->window.error};
    struct uno_file_seen seen = uno_file_meet(pe, UNO_P_CLOSE, &told, NULL);
    if (file->error) {
        seen.error = file->error;
        seen.culprit = file->culprit;
    }
    if (!seen.error) {
        told.error = pe->group.rank == 0 ? (uint64_t)finish(pe, file) : 0;
        seen = uno_file_meet(pe, UNO_P_CLOSE, &told, NULL);
    }
    int result = seen.error ? uno_file_failed(pe, file->path, "write it", seen.error, seen.culprit) : 0;
    uno_window_free(pe, file);
    uno_file_free(file);
    pe->files->file[number] = NULL;
    return result;
}
