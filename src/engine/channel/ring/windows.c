#include "windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SHARE = 8 /* a window is at least one part in so many of all: so there are few */ };

static bool one_process(const struct uno_windows *windows) {
    return windows->pe->job->mail_at == UNO_MAIL_OWN;
}

struct uno_windows uno_windows_of(const struct uno_pe *pe, const struct uno_mail *mail) {
    uint64_t heap = uno_mail_at_of(pe) + uno_mail_heap_at(mail, pe->me);
    return (struct uno_windows){
        .pe = pe, .step = uno_mail_step((int)mail->n), .next = heap, .end = heap + mail->heap};
}

/* Give a window an address. Whether there was one. */
static bool map(struct uno_windows *windows, struct uno_span *window) {
    if (one_process(windows)) {
        window->address = uno_sparse_own(window->bytes);
        window->at = (uintptr_t)window->address;
    } else {
        window->address = uno_sparse_map(windows->pe, window->at, window->bytes);
    }
    windows->error = window->address ? 0 : errno;
    return window->address;
}

static bool make_room(struct uno_windows *windows) {
    if (windows->count < windows->room)
        return true;
    size_t room = windows->room ? 2 * windows->room : 4;
    struct uno_span *grown = realloc(windows->window, room * sizeof *grown);
    if (!grown) {
        windows->error = ENOMEM;
        return false;
    }
    windows->window = grown;
    windows->room = room;
    return true;
}

static size_t more(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t rounded(size_t bytes) {
    return (bytes + UNO_MAP_STEP - 1) / UNO_MAP_STEP * UNO_MAP_STEP;
}

/* A window that has been given back, if it can be had again. */
static struct uno_span *map_again(struct uno_windows *windows, size_t bytes) {
    for (size_t i = 0; i < windows->count; i++) {
        struct uno_span *window = &windows->window[i];
        if (!window->address && window->bytes >= bytes && map(windows, window))
            return window;
    }
    return NULL;
}

/* A new one behind all others, as large as seems good or, if addresses are short, as is possible. */
static struct uno_span *map_new(struct uno_windows *windows, size_t bytes) {
    size_t all = 0, least = rounded(bytes), left = windows->end - windows->next;
    if (bytes > left) {
        windows->error = 0;
        return NULL;
    }
    if (!make_room(windows))
        return NULL;
    for (size_t i = 0; i < windows->count; i++)
        all += windows->window[i].bytes;
    size_t wanted = more(least, (all / SHARE / windows->step + 1) * windows->step);
    struct uno_span *window = &windows->window[windows->count];
    *window = (struct uno_span){.at = windows->next, .bytes = wanted < left ? wanted : left};
    while (!map(windows, window)) {
        if (window->bytes <= least)
            return NULL;
        window->bytes = more(least, rounded(window->bytes / 2));
    }
    windows->count++;
    windows->next += window->bytes;
    return window;
}

char *uno_windows_grow(void *owner, size_t bytes, size_t *got) {
    struct uno_windows *windows = owner;
    struct uno_span *window = map_again(windows, bytes);
    if (!window)
        window = map_new(windows, bytes);
    if (!window)
        return NULL;
    windows->near = *window;
    *got = window->bytes;
    return window->address;
}

void uno_windows_shrink(void *owner, char *memory, size_t bytes) {
    struct uno_windows *windows = owner;
    size_t i = 0;
    while (windows->window[i].address != memory)
        i++;
    munmap(memory, bytes);
    windows->window[i].address = NULL;
    windows->near = (struct uno_span){0};
    while (windows->count && !windows->window[windows->count - 1].address)
        windows->next -= windows->window[--windows->count].bytes;
}

void uno_windows_end(struct uno_windows *windows) {
    for (size_t i = 0; i < windows->count; i++) {
        struct uno_span *window = &windows->window[i];
        if (!window->address)
            continue;
        if (one_process(windows))
            uno_sparse_leave(windows->pe->job, window->address, window->bytes);
        else
            munmap(window->address, window->bytes);
    }
    free(windows->window);
}

uint64_t uno_windows_find(struct uno_windows *windows, const char *data) {
    for (size_t i = 0; i < windows->count; i++) {
        const struct uno_span *window = &windows->window[i];
        uintptr_t in = (uintptr_t)data - (uintptr_t)window->address;
        if (window->address && in < window->bytes) {
            windows->near = *window;
            return window->at + in;
        }
    }
    return UNO_NOWHERE;
}
