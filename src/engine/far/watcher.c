#define _GNU_SOURCE
#include "watcher.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/bell.h"
#include "engine/tuning.h"

enum watch { IDLE, WATCHES, ENDS };

struct uno_watcher {
    pthread_t thread;
    uno_atomic64 state; /* enum watch; the PE sets WATCHES and ENDS, the thread IDLE */
    uno_atomic64 *bell;
    int descriptor, end; /* of the endpoint; and one that becomes readable at the end */
};

/* Wait until the endpoint has something. Returns false at the end. */
static bool await(const struct uno_watcher *watcher) {
    struct pollfd files[] = {{.fd = watcher->descriptor, .events = POLLIN},
                             {.fd = watcher->end, .events = POLLIN}};
    while (poll(files, 2, -1) < 0 && errno == EINTR)
        ;
    return !files[1].revents;
}

static void *watch(void *argument) {
    struct uno_watcher *watcher = argument;
    uint64_t rung = UINT64_MAX, state;
    while ((state = uno_load64_relaxed(&watcher->state)) != ENDS) {
        if (state == IDLE) {
            uno_kernel_sleep(&watcher->state, IDLE, UNO_SLEEP_NS);
            continue;
        }
        if (!await(watcher))
            break;
        uno_cas64_relaxed(&watcher->state, WATCHES, IDLE);
        uno_bell_ring(watcher->bell, &rung); /* with which it is visible that nothing is watched any more */
    }
    return NULL;
}

/* Start the thread, with all signals blocked: they are the program's. Returns NULL if it cannot be had. */
static struct uno_watcher *start(int descriptor, uno_atomic64 *bell) {
    struct uno_watcher *watcher = descriptor < 0 ? NULL : calloc(1, sizeof *watcher);
    sigset_t all, before;
    if (!watcher)
        return NULL;
    watcher->bell = bell;
    watcher->descriptor = descriptor;
    watcher->end = eventfd(0, EFD_CLOEXEC);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = watcher->end >= 0 && pthread_create(&watcher->thread, NULL, watch, watcher) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        return watcher;
    if (watcher->end >= 0)
        close(watcher->end);
    free(watcher);
    return NULL;
}

bool uno_watcher_watch(struct uno_watcher **watcher, int descriptor, uno_atomic64 *bell) {
    if (!*watcher && !(*watcher = start(descriptor, bell)))
        return false;
    /* The bell is armed, and the fence behind that has run: a thread that has stopped watching sees it. */
    if (uno_cas64_relaxed(&(*watcher)->state, IDLE, WATCHES))
        uno_kernel_wake(&(*watcher)->state);
    return true;
}

void uno_watcher_end(struct uno_watcher **ended) {
    struct uno_watcher *watcher = *ended;
    if (!watcher)
        return;
    uno_store64_relaxed(&watcher->state, ENDS);
    uno_kernel_wake(&watcher->state);
    if (write(watcher->end, &(uint64_t){1}, sizeof(uint64_t)) == sizeof(uint64_t))
        pthread_join(watcher->thread, NULL);
    close(watcher->end);
    free(watcher);
    *ended = NULL;
}
