/* Where the heaps of all PEs are in this one's addresses: of its own heap what it has needed so far, of the
 * others' what it has read or written there (sparse.h). A place in a heap goes to others as a number, `at`:
 * bytes from the start of the job's memory, or, among PEs of one process, the address. */

#ifndef UNO_CHANNEL_WINDOWS_H
#define UNO_CHANNEL_WINDOWS_H

#include "engine/sparse.h"
#include "memory.h"

/* Those of the PE's own heap. */
struct uno_windows {
    const struct uno_pe *pe;
    struct uno_span near;    /* the one that was used last, or none */
    struct uno_span *window; /* of processes by `at`; of those without an address only that is known */
    size_t count, room;
    size_t step;        /* the least that is worth a window */
    uint64_t next, end; /* of processes: where the heap goes on behind all windows, and where it ends */
    int error;          /* why there was no room at last, by errno; 0: all of the heap is in windows */
};

#define UNO_NOWHERE UINT64_MAX

/* Return those of PE `me`, which are none yet. */
struct uno_windows uno_windows_of(const struct uno_pe *pe, const struct uno_mail *mail);

/* For struct uno_heap, whose owner they are. */
char *uno_windows_grow(void *windows, size_t bytes, size_t *got);
void uno_windows_shrink(void *windows, char *memory, size_t bytes);

/* Give back what is mapped; or, in a process of several PEs, leave it for those that have not read it yet. */
void uno_windows_end(struct uno_windows *windows);

/* The part of uno_windows_at that is not in line. */
uint64_t uno_windows_find(struct uno_windows *windows, const char *data);

/* The place of what is in this PE's own heap; UNO_NOWHERE: it is not in it. */
static inline uint64_t uno_windows_at(struct uno_windows *windows, const char *data) {
    uintptr_t in = (uintptr_t)data - (uintptr_t)windows->near.address;
    return UNO_LIKELY(in < windows->near.bytes) ? windows->near.at + in : uno_windows_find(windows, data);
}

/* The address of `bytes` bytes at this place, if that span has them; otherwise NULL. The span that has
 * everything, of PEs of one process, is at address 0. */
static inline char *uno_span_at(const struct uno_span *span, uint64_t at, size_t bytes) {
    bool has = at >= span->at && at + bytes <= span->at + span->bytes;
    return UNO_LIKELY(has) ? (char *)((uintptr_t)span->address + (at - span->at)) : NULL;
}

#endif
