/* A library that unisono run preloads into programs that need no MPI library themselves, but may start or
 * load what does: shells, interpreters, Rscript. The loader reads LD_LIBRARY_PATH when a process starts, and
 * finds Unisono's MPI library if that has its folders in front; a script may put others there, as R's does
 * with the system's. Then this library puts them in front again, and starts the program of the process once
 * more before any of it has run. Nothing else is in this library: a preloaded MPI library would get in front
 * of the calls of programs for another ABI. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The folders, as the launcher has put them in front: they are beside this library. That of the libraries
 * which record calls is one of them where UNISONO_MPI_OBSERVE asks for it. Returns false if they are not
 * known.
 */
static bool find_folders(char *folders, size_t size) {
    static const char here;
    Dl_info info;
    const char *slash = dladdr(&here, &info) ? strrchr(info.dli_fname, '/') : NULL;
    if (!slash)
        return false;
    int length = (int)(slash - info.dli_fname);
    size_t used = 0;
    if (getenv("UNISONO_MPI_OBSERVE"))
        used = (size_t)snprintf(folders, size, "%.*s/observed:", length, info.dli_fname);
    snprintf(folders + used, size - used, "%.*s/lib:%.*s/lib/others", length, info.dli_fname, length,
             info.dli_fname);
    return true;
}

static bool are_in_front(const char *folders, const char *path) {
    size_t length = strlen(folders);
    return strncmp(path, folders, length) == 0 && (!path[length] || path[length] == ':');
}

__attribute__((constructor)) static void put_in_front(int count, char **words) {
    char folders[3 * PATH_MAX], program[PATH_MAX], *all;
    const char *path = getenv("LD_LIBRARY_PATH");
    bool direct = getauxval(AT_BASE) == 0; /* the loader itself was started, whose own words are gone */
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    (void)count;
    if (direct || length < 0 || !find_folders(folders, sizeof folders) ||
        (path && are_in_front(folders, path)))
        return;
    program[length] = 0;
    if (asprintf(&all, "%s%s%s", folders, path && *path ? ":" : "", path ? path : "") < 0)
        return;
    setenv("LD_LIBRARY_PATH", all, 1);
    free(all);
    execv(program, words);
}
