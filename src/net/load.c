/* Loading libfabric. */

#define _GNU_SOURCE /* dlvsym */
#include "load.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Load a library whose own libraries catch signals when they are loaded, to write files about a crash: how
 * signals are handled, and how a process ends, is the program's. */
static void *load(const char *file) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGINT, SIGTERM};
    enum { COUNT = sizeof signals / sizeof *signals };
    struct sigaction before[COUNT];
    for (int i = 0; i < COUNT; i++)
        sigaction(signals[i], NULL, &before[i]);
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; i < COUNT; i++)
        sigaction(signals[i], &before[i], NULL);
    return handle;
}

int uno_libfabric_load(struct uno_libfabric *library, char error[UNO_NET_ERROR]) {
    const char *file = getenv("UNISONO_LIBFABRIC");
    if (!file || !*file)
        file = "libfabric.so.1";
    void *handle = load(file);
    if (!handle) {
        snprintf(
            error, UNO_NET_ERROR,
            "libfabric cannot be loaded: %s. Install it (Debian, Ubuntu: libfabric1; Fedora: libfabric), or "
            "name its file in UNISONO_LIBFABRIC.",
            dlerror());
        return -ENOENT;
    }
    /* Symbols have versions, by which a newer library knows which fields its structures have for its caller.
     * Later headers have appended some to those of these versions, which nothing here uses. */
    bool whole = true;
#define X(name, version)                                                                                     \
    whole = whole && (library->name = (__typeof__(library->name))dlvsym(handle, #name, version)) != NULL;
    UNO_LIBFABRIC_FUNCTIONS(X)
#undef X
    if (whole && FI_VERSION_GE(library->fi_version(), UNO_LIBFABRIC_VERSION))
        return 0;
    snprintf(
        error, UNO_NET_ERROR,
        "%s is no libfabric of version 1.17 or newer. Install one, or name its file in UNISONO_LIBFABRIC.",
        file);
    return -ENOSYS;
}
