#include "requests.h"

#include <stdlib.h>

enum { FIRST = 1024, FREE = 1 };

static struct uno_seen_kept *table;
static size_t room, used; /* places, a power of two; those that were ever used */

static size_t start_of(uint64_t handle) {
    return (size_t)((handle * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (room - 1);
}

/* Return the place of a handle, or the first one in which it can be kept. */
static struct uno_seen_kept *place_of(uint64_t handle) {
    struct uno_seen_kept *open = NULL;
    for (size_t i = start_of(handle);; i = (i + 1) & (room - 1)) {
        struct uno_seen_kept *at = &table[i];
        if (at->handle == handle)
            return at;
        if (at->handle == FREE && !open)
            open = at;
        if (!at->handle)
            return open ? open : at;
    }
}

/* Make room for one more. Most places may have been freed: then as many are enough. */
static bool grow(void) {
    struct uno_seen_kept *old = table;
    size_t before = room, kept = 0;
    for (size_t i = 0; i < before; i++)
        kept += old[i].handle > FREE;
    room = kept * 4 > before ? before * 2 : before;
    room = room ? room : FIRST;
    table = calloc(room, sizeof *table);
    if (!table) {
        table = old;
        room = before;
        return false;
    }
    used = kept;
    for (size_t i = 0; i < before; i++)
        if (old[i].handle > FREE)
            *place_of(old[i].handle) = old[i];
    free(old);
    return true;
}

void uno_seen_request_keep(uint64_t handle, const struct uno_seen_about *about, bool persistent) {
    if (used * 2 >= room && !grow())
        return;
    struct uno_seen_kept *at = place_of(handle);
    used += !at->handle;
    uno_seen_comm_use(about->comm);
    if (at->handle == handle) /* the program has lost sight of an earlier one */
        uno_seen_comm_leave(at->about.comm);
    *at = (struct uno_seen_kept){handle, persistent, *about};
}

struct uno_seen_kept *uno_seen_request_of(uint64_t handle) {
    struct uno_seen_kept *at = room ? place_of(handle) : NULL;
    return at && at->handle == handle ? at : NULL;
}

void uno_seen_request_drop(struct uno_seen_kept *request) {
    uno_seen_comm_leave(request->about.comm);
    request->handle = FREE;
}

void uno_seen_request_end(void) {
    for (size_t i = 0; i < room; i++)
        if (table[i].handle > FREE)
            uno_seen_request_drop(&table[i]);
    free(table);
    table = NULL;
    room = used = 0;
}
