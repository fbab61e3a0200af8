#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "refuse.h"

bool uno_files_wanted(const struct uno_launch *launch, int which) {
    return launch->out || launch->file[which];
}

bool uno_files_folder(const struct uno_launch *launch) {
    if (!launch->out || mkdir(launch->out, 0777) == 0 || errno == EEXIST)
        return true;
    uno_refuse(0, "--out %s: cannot make this folder: %s", launch->out, strerror(errno));
    return false;
}

/* The path that a pattern means for PE k: %r is its number, %% a percent sign. NULL: no memory. *own: PE k
 * has this path for itself. */
static char *path_of(const char *pattern, int k, bool *own) {
    char *path = NULL;
    size_t length;
    FILE *f = open_memstream(&path, &length);
    *own = false;
    for (const char *c = pattern; f && *c; c++)
        if (c[0] == '%' && c[1] == 'r' && c++)
            *own = fprintf(f, "%d", k) > 0;
        else
            fputc(c[0] == '%' && c[1] == '%' ? *c++ : *c, f);
    return f && fclose(f) == 0 ? path : NULL;
}

/* A file of one PE, or of all that the pattern does not tell apart. */
static int open_file(const char *pattern, int k) {
    bool own;
    char *path = path_of(pattern, k, &own);
    int first = k == 0 || own ? O_TRUNC : 0;
    int fd = path ? open(path, O_WRONLY | O_CREAT | first | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (fd < 0)
        uno_refuse(0, "cannot write %s for PE %d: %s", path ? path : pattern, k, strerror(errno));
    free(path);
    return fd;
}

int uno_files_open(const struct uno_launch *launch, int k, int which) {
    if (launch->file[which])
        return open_file(launch->file[which], k);
    char *path;
    if (asprintf(&path, "%s/%d.%s", launch->out, k, which ? "err" : "out") < 0)
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        uno_refuse(0, "--out %s: cannot write %s: %s", launch->out, path, strerror(errno));
    free(path);
    return fd;
}
