#define _GNU_SOURCE
#include "aside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool complain(const struct aside *aside, const char *path, const char *what, int error) {
    fprintf(stderr, "%s: %s: %s: %s\n", aside->teller, path, what, uno_aside_text(&aside->as, error));
    return false;
}

/* ---- a file with a name of its own ----------------------------------------------------------------------
 * Only where the system has no files without a name, or processes on other machines write it. */

static const struct uno_aside *to_remove; /* if this program ends early; NULL: none */

static void remove_now(void) {
    if (to_remove)
        uno_aside_remove(to_remove);
}

static void remove_aside(int signal) {
    remove_now();
    raise(signal); /* its handling is the default again */
}

static const int ending[] = {SIGHUP, SIGINT, SIGTERM};
enum { ENDING = sizeof ending / sizeof *ending };

static void remove_by_signals(const struct aside *aside) {
    to_remove = &aside->as;
    for (int i = 0; i < ENDING; i++) {
        struct sigaction now, handle = {.sa_handler = remove_aside, .sa_flags = (int)SA_RESETHAND};
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(ending[i], &handle, NULL);
    }
}

/* Hold back these signals: one that comes once the file has a name finds the handler that removes it. */
static sigset_t hold_back(void) {
    sigset_t signals, mask;
    sigemptyset(&signals);
    for (int i = 0; i < ENDING; i++)
        sigaddset(&signals, ending[i]);
    pthread_sigmask(SIG_BLOCK, &signals, &mask);
    return mask;
}

static void let_come(const struct aside *aside, const sigset_t *mask) {
    if (aside->as.aside[0])
        remove_by_signals(aside);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

static int open_to_remove(struct aside *aside, const char *path) {
    sigset_t mask = hold_back();
    int error = uno_aside_open(&aside->as, path);
    let_come(aside, &mask);
    return error;
}

/* ------------------------------------------------------------------------------------------------------ */

bool aside_open(struct aside *aside, const char *teller, const char *path, uint64_t bytes) {
    aside->teller = teller;
    int error = -open_to_remove(aside, path);
    if (error == EINVAL) {
        fprintf(stderr, "%s: %s: not a file that could be replaced\n", teller, path);
        return false;
    }
    if (error)
        return complain(aside, path, "cannot create it", error);
    if (!bytes || !fallocate(aside->as.file, 0, 0, (off_t)bytes) || errno == EOPNOTSUPP || errno == ENOSYS)
        return true;
    complain(aside, path, "there is no room for it", errno);
    aside_drop(aside);
    return false;
}

bool aside_show(struct aside *aside, uint64_t *name) {
    sigset_t mask = hold_back();
    int error = -uno_aside_show(&aside->as, name);
    let_come(aside, &mask);
    if (!error && atexit(remove_now) == 0)
        return true;
    complain(aside, aside->as.path, "cannot create it", error ? error : ENOMEM);
    aside_drop(aside);
    return false;
}

bool aside_finish(struct aside *aside) {
    int error = -uno_aside_finish(&aside->as, true);
    to_remove = NULL;
    return !error || complain(aside, aside->as.path, "cannot give the new file its name", error);
}

void aside_drop(struct aside *aside) {
    uno_aside_drop(&aside->as);
    to_remove = NULL;
}
