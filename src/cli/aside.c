#define _GNU_SOURCE
#include "aside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const struct aside *aside, const char *path, const char *what) {
    fprintf(stderr, "%s: %s: %s: %s\n", aside->teller, path, what, strerror(errno));
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

static bool open_named(struct aside *aside) {
    static const int ending[] = {SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    if (snprintf(aside->name, PATH_MAX, "%s.XXXXXX", aside->path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    aside->file = mkostemp(aside->name, O_CLOEXEC);
    if (aside->file < 0)
        return false;
    to_remove = aside->name;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction now, handle = {.sa_handler = remove_aside, .sa_flags = (int)SA_RESETHAND};
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(ending[i], &handle, NULL);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------ */

bool aside_open(struct aside *aside, const char *teller, const char *path, uint64_t bytes) {
    struct stat old;
    char folder[PATH_MAX];
    mode_t mask = umask(0), mode;
    umask(mask);
    mode = 0666 & ~mask;
    *aside = (struct aside){.teller = teller, .file = -1};
    if (!*path) {
        errno = ENOENT;
        return complain(aside, path, "cannot create it");
    }
    if (stat(path, &old) == 0) {
        if (!S_ISREG(old.st_mode)) {
            fprintf(stderr, "%s: %s: not a file that could be replaced\n", teller, path);
            return false;
        }
        mode = old.st_mode & 07777;
        if (!realpath(path, aside->path))
            return complain(aside, path, "cannot find it");
    } else if (snprintf(aside->path, PATH_MAX, "%s", path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return complain(aside, path, "cannot create it");
    }
    folder_of(folder, aside->path);
    aside->file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (aside->file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        open_named(aside);
    if (aside->file < 0)
        return complain(aside, path, "cannot create it");
    if (fchmod(aside->file, mode))
        complain(aside, path, "cannot give it the permissions of the one before");
    else if (bytes && fallocate(aside->file, 0, 0, (off_t)bytes) && errno != EOPNOTSUPP && errno != ENOSYS)
        complain(aside, path, "there is no room for it");
    else
        return true;
    aside_drop(aside);
    return false;
}

/* The file's name aside, whether it had one or not. */
static bool name_aside(struct aside *aside) {
    char self[64];
    if (aside->name[0])
        return true;
    snprintf(self, sizeof self, "/proc/self/fd/%d", aside->file);
    for (unsigned try = 0; try < 100; try++) {
        if (snprintf(aside->name, PATH_MAX, "%s.%u-%u", aside->path, (unsigned)getpid(), try) >= PATH_MAX) {
            errno = ENAMETOOLONG;
            break;
        }
        if (linkat(AT_FDCWD, self, AT_FDCWD, aside->name, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    aside->name[0] = 0;
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

bool aside_finish(struct aside *aside) {
    if (fsync(aside->file))
        complain(aside, aside->path, "cannot write it");
    else if (!name_aside(aside) || rename(aside->name, aside->path))
        complain(aside, aside->path, "cannot give the new file its name");
    else {
        aside->name[0] = 0;
        sync_folder(aside->path);
        if (close(aside->file))
            return complain(aside, aside->path, "cannot write it");
        aside->file = -1;
        return true;
    }
    aside_drop(aside);
    return false;
}

void aside_drop(struct aside *aside) {
    if (aside->file >= 0)
        close(aside->file);
    if (aside->name[0])
        unlink(aside->name);
    aside->file = -1;
    aside->name[0] = 0;
}
