#define _GNU_SOURCE
#include "arrays.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "available.h"
#include "sparse.h"

/* Addresses of all parts together, of the 2^47 that a process has. */
#define ADDRESSES ((uint64_t)1 << 44)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

static size_t round_up(size_t bytes, size_t to) {
    return (bytes + to - 1) / to * to;
}

static size_t page(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

uint64_t uno_arrays_part(int n) {
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * page(), most = ADDRESSES / (uint64_t)n;
    return (memory < most ? round_up(memory, UNO_HUGE_PAGE) : most) / UNO_HUGE_PAGE * UNO_HUGE_PAGE;
}

uint64_t uno_arrays_at(uint64_t bytes) {
    return round_up(bytes, UNO_HUGE_PAGE);
}

uint64_t uno_arrays_size(const struct uno_job *job) {
    return (uint64_t)job->n * job->arrays_part;
}

/* Of the private mapping, which may start anywhere. */
static uint64_t padded_size(const struct uno_job *job) {
    return uno_arrays_size(job) + UNO_HUGE_PAGE;
}

static char *map(struct uno_job *job) {
    if (!job->arrays_at)
        return NULL;
    if (!uno_arrays_one_process(job))
        return uno_sparse_shared(job, job->arrays_at, uno_arrays_size(job));
    char *memory = uno_sparse_private(&job->arrays, padded_size(job));
    return memory ? (char *)round_up((uintptr_t)memory, UNO_HUGE_PAGE) : NULL;
}

static UNO_COLD struct uno_arrays *make(struct uno_pe *pe) {
    struct uno_arrays *arrays = calloc(1, sizeof *arrays);
    char *base = arrays ? map(pe->job) : NULL;
    if (!base) {
        free(arrays);
        return NULL;
    }
    arrays->base = base;
    arrays->size = uno_arrays_size(pe->job);
    arrays->heap = (struct uno_heap){.base = base + (uint64_t)pe->me * pe->job->arrays_part,
                                     .size = pe->job->arrays_part};
    madvise(base, arrays->size, MADV_HUGEPAGE); /* where the system allows it for this kind of memory */
    pe->arrays = arrays;
    return arrays;
}

struct uno_arrays *uno_arrays_of(struct uno_pe *pe) {
    return UNO_LIKELY(pe->arrays != NULL) ? pe->arrays : make(pe);
}

bool uno_arrays_reserve(struct uno_arrays *arrays, size_t bytes, uint64_t *at) {
    if (bytes > arrays->heap.size || bytes > uno_memory_available().bytes)
        return false;
    char *data = uno_heap_take(&arrays->heap, round_up(bytes + !bytes, UNO_HUGE_PAGE));
    if (data)
        *at = (uint64_t)(data - arrays->base);
    return data;
}

/* Huge pages, as far as there are any: the one call that asks for them whatever the system gives of itself,
 * which for shared memory is mostly none. It takes memory in which there is a page. */
static void populate_huge(char *data, size_t bytes) {
    for (size_t i = 0; i + UNO_HUGE_PAGE <= bytes; i += UNO_HUGE_PAGE)
        if (madvise(data + i, page(), MADV_POPULATE_WRITE) ||
            madvise(data + i, UNO_HUGE_PAGE, MADV_COLLAPSE)) /* Linux before 6.1 has none */
            return;
}

/* Writing to each page would do it too, but ends by a signal if memory is short. */
static bool populate(char *data, size_t bytes) {
    int error;
    do {
        error = madvise(data, bytes, MADV_POPULATE_WRITE) ? errno : 0;
    } while (error == EINTR || error == EAGAIN);
    if (error == EINVAL) { /* Linux before 5.14 */
        for (size_t i = 0; i < bytes; i += page())
            ((volatile char *)data)[i] = 0;
        error = 0;
    }
    return !error;
}

bool uno_arrays_populate(struct uno_pe *pe, uint64_t at, size_t bytes, int share, int shares) {
    size_t whole = round_up(bytes, page());
    size_t step = round_up((whole + (size_t)shares - 1) / (size_t)shares, UNO_HUGE_PAGE);
    size_t from = step * (size_t)share;
    if (from >= whole)
        return true;
    char *data = uno_arrays_address(pe->arrays, at) + from;
    size_t part = whole - from < step ? whole - from : step;
    populate_huge(data, part);
    return populate(data, part);
}

void uno_arrays_release(struct uno_pe *pe, uint64_t at, size_t bytes) {
    char *data = uno_arrays_address(pe->arrays, at);
    size_t whole = round_up(bytes + !bytes, UNO_HUGE_PAGE);
    if (madvise(data, whole, uno_arrays_one_process(pe->job) ? MADV_DONTNEED : MADV_REMOVE))
        memset(data, 0, bytes); /* it stays, and the next array there starts as zeros nevertheless */
    uno_heap_give(&pe->arrays->heap, data);
}

bool uno_arrays_note(struct uno_arrays *arrays, const struct uno_array *array) {
    if (arrays->count == arrays->room) {
        size_t room = arrays->room ? 2 * arrays->room : 8;
        struct uno_array *grown = realloc(arrays->array, room * sizeof *grown);
        if (!grown)
            return false;
        arrays->array = grown;
        arrays->room = room;
    }
    arrays->array[arrays->count++] = *array;
    return true;
}

void uno_arrays_forget(struct uno_arrays *arrays, struct uno_array *array) {
    *array = arrays->array[--arrays->count];
}

struct uno_array *uno_arrays_find(struct uno_arrays *arrays, const void *data) {
    for (size_t i = 0; arrays && i < arrays->count; i++)
        if (uno_arrays_address(arrays, arrays->array[i].at) == data)
            return &arrays->array[i];
    return NULL;
}

void uno_arrays_end(struct uno_pe *pe) {
    struct uno_arrays *arrays = pe->arrays;
    if (!arrays)
        return;
    if (!uno_arrays_one_process(pe->job))
        munmap(arrays->base, arrays->size);
    uno_heap_free(&arrays->heap);
    free(arrays->array);
    free(arrays);
    pe->arrays = NULL;
}

void uno_arrays_free(struct uno_job *job) {
    void *memory = (void *)(uintptr_t)uno_load64_relaxed(&job->arrays);
    if (memory)
        munmap(memory, padded_size(job));
}
