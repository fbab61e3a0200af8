#define _GNU_SOURCE
#include "memories.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Open a process's open file, if this user has made it: a process may have been given another user's file, as
 * a program with the rights of root may get one from the user who starts it. The file's status is read before
 * it is opened, since a file with the name of a memory may be another thing, and opening it may block.
 * Returns a descriptor or -1. */
static int open_own(int files, const char *name, int flags) {
    char again[32];
    struct stat is;
    int fd = -1, place = openat(files, name, O_PATH | O_CLOEXEC);
    if (place < 0)
        return -1;
    snprintf(again, sizeof again, "/proc/self/fd/%d", place);
    if (fstat(place, &is) == 0 && S_ISREG(is.st_mode) && is.st_uid == geteuid())
        fd = open(again, flags | O_CLOEXEC);
    close(place);
    return fd;
}

/* Look through what the process has open. It may end meanwhile. */
static bool look_into(int folder, pid_t process, const char *name, int flags,
                      bool (*found)(void *argument, pid_t process, int fd), void *argument) {
    char wanted[160], target[160];
    bool done = false;
    snprintf(wanted, sizeof wanted, "/memfd:%s (deleted)", name);
    int files = openat(folder, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *open_files = files < 0 ? NULL : fdopendir(files);
    if (files >= 0 && !open_files)
        close(files);
    for (struct dirent *entry; open_files && !done && (entry = readdir(open_files));) {
        ssize_t length = readlinkat(files, entry->d_name, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = 0;
        int fd = strcmp(target, wanted) == 0 ? open_own(files, entry->d_name, flags) : -1;
        if (fd < 0)
            continue;
        done = found(argument, process, fd);
        close(fd);
    }
    if (open_files)
        closedir(open_files);
    return done;
}

bool uno_memories(const char *name, int flags, bool (*found)(void *argument, pid_t process, int fd),
                  void *argument) {
    bool done = false;
    struct stat is;
    DIR *proc = opendir("/proc");
    if (!proc)
        return false;
    for (struct dirent *entry; !done && (entry = readdir(proc));) {
        pid_t process = atoi(entry->d_name);
        /* one folder for all: its number may be given to another process meanwhile */
        int folder = process > 0 ? openat(dirfd(proc), entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
        if (folder < 0)
            continue;
        /* processes of other users are not looked at */
        if (fstat(folder, &is) == 0 && is.st_uid == geteuid())
            done = look_into(folder, process, name, flags, found, argument);
        close(folder);
    }
    closedir(proc);
    errno = 0;
    return done;
}
