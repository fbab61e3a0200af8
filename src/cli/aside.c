#define _GNU_SOURCE
#include "aside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool complain(const struct aside *aside, const char *path, const char *what, int error) {
    fprintf(stderr, "%s: %s: %s: %s\n", aside->teller, path, what, uno_aside_text(&aside->as, error));
    return false;
}

/* ---- a file with a name of its own ----------------------------------------------------------------------
 * Only where the system has no files without a name. */

static const struct uno_aside *to_remove; /* if a signal ends this program */

static void remove_aside(int signal) {
    uno_aside_remove(to_remove);
    raise(signal); /* its handling is the default again */
}

static void remove_by_signals(const struct aside *aside) {
    static const int ending[] = {SIGHUP, SIGINT, SIGTERM};
    to_remove = &aside->as;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction now, handle = {.sa_handler = remove_aside, .sa_flags = (int)SA_RESETHAND};
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(ending[i], &handle, NULL);
    }
}

/* ------------------------------------------------------------------------------------------------------ */

bool aside_open(struct aside *aside, const char *teller, const char *path, uint64_t bytes) {
    aside->teller = teller;
    int error = -uno_aside_open(&aside->as, path);
    if (error == EINVAL) {
        fprintf(stderr, "%s: %s: not a file that could be replaced\n", teller, path);
        return false;
    }
    if (error)
        return complain(aside, path, "cannot create it", error);
    if (aside->as.aside[0])
        remove_by_signals(aside);
    if (!bytes || !fallocate(aside->as.file, 0, 0, (off_t)bytes) || errno == EOPNOTSUPP || errno == ENOSYS)
        return true;
    complain(aside, path, "there is no room for it", errno);
    aside_drop(aside);
    return false;
}

bool aside_finish(struct aside *aside) {
    int error = -uno_aside_finish(&aside->as, true);
    return !error || complain(aside, aside->as.path, "cannot give the new file its name", error);
}

void aside_drop(struct aside *aside) {
    uno_aside_drop(&aside->as);
}
