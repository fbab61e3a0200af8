#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *path, const char *what) {
    fprintf(stderr, "unisono sort: %s: %s: %s\n", path, what, strerror(errno));
    return false;
}

/* The folder of a path. */
static void folder_of(char folder[PATH_MAX], const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        snprintf(folder, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* ---- a file with a name of its own ----------------------------------------------------------------------
 * Only where the file system has no files without a name. */

static const char *to_remove; /* if a signal ends this program */

static void remove_aside(int signal) {
    unlink(to_remove);
    raise(signal); /* its handling is the default again */
}

static bool open_named(struct sort_output *output) {
    static const int ending[] = {SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    if (snprintf(output->aside, PATH_MAX, "%s.XXXXXX", output->path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    output->file = mkostemp(output->aside, O_CLOEXEC);
    if (output->file < 0)
        return false;
    to_remove = output->aside;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction now, handle = {.sa_handler = remove_aside, .sa_flags = (int)SA_RESETHAND};
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(ending[i], &handle, NULL);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------ */

bool sort_output_open(struct sort_output *output, const char *path, uint64_t bytes) {
    struct stat old;
    char folder[PATH_MAX];
    mode_t mask = umask(0), mode;
    umask(mask);
    mode = 0666 & ~mask;
    *output = (struct sort_output){.file = -1};
    if (stat(path, &old) == 0) {
        if (!S_ISREG(old.st_mode)) {
            fprintf(stderr, "unisono sort: %s: not a file that could be replaced by the sorted one\n", path);
            return false;
        }
        mode = old.st_mode & 07777;
        if (!realpath(path, output->path))
            return complain(path, "cannot find it");
    } else if (snprintf(output->path, PATH_MAX, "%s", path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return complain(path, "cannot create it");
    }
    folder_of(folder, output->path);
    output->file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (output->file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        open_named(output);
    if (output->file < 0)
        return complain(path, "cannot create it");
    if (fchmod(output->file, mode))
        complain(path, "cannot give it the permissions of the one before");
    else if (bytes && fallocate(output->file, 0, 0, (off_t)bytes) && errno != EOPNOTSUPP && errno != ENOSYS)
        complain(path, "there is no room for it");
    else
        return true;
    sort_output_drop(output);
    return false;
}

/* The file's name aside, whether it had one or not. */
static bool name_aside(struct sort_output *output) {
    char self[64];
    if (output->aside[0])
        return true;
    snprintf(self, sizeof self, "/proc/self/fd/%d", output->file);
    for (unsigned try = 0; try < 100; try++) {
        if (snprintf(output->aside, PATH_MAX, "%s.%u-%u", output->path, (unsigned)getpid(), try) >=
            PATH_MAX) {
            errno = ENAMETOOLONG;
            break;
        }
        if (linkat(AT_FDCWD, self, AT_FDCWD, output->aside, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    output->aside[0] = 0;
    return false;
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

bool sort_output_finish(struct sort_output *output) {
    if (fsync(output->file))
        complain(output->path, "cannot write it");
    else if (!name_aside(output) || rename(output->aside, output->path))
        complain(output->path, "cannot give the sorted file its name");
    else {
        output->aside[0] = 0;
        sync_folder(output->path);
        if (close(output->file))
            return complain(output->path, "cannot write it");
        output->file = -1;
        return true;
    }
    sort_output_drop(output);
    return false;
}

void sort_output_drop(struct sort_output *output) {
    if (output->file >= 0)
        close(output->file);
    if (output->aside[0])
        unlink(output->aside);
    output->file = -1;
    output->aside[0] = 0;
}
