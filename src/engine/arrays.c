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

/* Return the bytes of an array's addresses and pages: no huge page of an array holds memory of another. */
static size_t whole(const struct uno_array *array) {
    return round_up(array->bytes + !array->bytes, UNO_HUGE_PAGE);
}

static UNO_COLD struct uno_arrays *make(struct uno_pe *pe) {
    const struct uno_job *job = pe->job;
    struct uno_arrays *arrays = job->arrays_at ? calloc(1, sizeof *arrays) : NULL;
    if (!arrays)
        return NULL;
    uint64_t part = job->arrays_at + (uint64_t)pe->me * job->arrays_part;
    if (!uno_job_one_process(job) && !uno_extents_add(&arrays->part, part, job->arrays_part)) {
        free(arrays);
        return NULL;
    }
    pe->arrays = arrays;
    return arrays;
}

struct uno_arrays *uno_arrays_of(struct uno_pe *pe) {
    return UNO_LIKELY(pe->arrays != NULL) ? pe->arrays : make(pe);
}

static void ask_for_huge_pages(const struct uno_array *array) {
    if (array->address)
        madvise(array->address, whole(array), MADV_HUGEPAGE); /* where the system allows it for this kind of
                                                                 memory */
}

static void give_place(struct uno_pe *pe, uint64_t at) {
    struct uno_extents *part = &pe->arrays->part;
    uno_extents_give(part, uno_extents_find(part, at));
}

static bool reserve_part(struct uno_pe *pe, struct uno_array *array) {
    struct uno_extent *extent = uno_extents_take(&pe->arrays->part, whole(array));
    if (!extent)
        return false;
    array->at = extent->at;
    array->address = uno_sparse_map(pe, array->at, whole(array));
    if (!array->address)
        give_place(pe, array->at);
    return array->address;
}

bool uno_arrays_reserve(struct uno_pe *pe, struct uno_array *array) {
    if (array->bytes > SIZE_MAX / 2 || array->bytes > uno_memory_available(1).bytes)
        return false;
    if (uno_job_one_process(pe->job)) {
        array->address = uno_sparse_own(whole(array));
        array->at = (uintptr_t)array->address;
    } else if (!reserve_part(pe, array)) {
        return false;
    }
    ask_for_huge_pages(array);
    return array->address;
}

bool uno_arrays_attach(struct uno_pe *pe, struct uno_array *array) {
    array->address = uno_job_one_process(pe->job) ? (char *)(uintptr_t)array->at
                                                  : uno_sparse_map(pe, array->at, whole(array));
    ask_for_huge_pages(array);
    return array->address;
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

bool uno_arrays_populate(const struct uno_array *array, int share, int shares) {
    size_t all = round_up(array->bytes, page());
    size_t step = round_up((all + (size_t)shares - 1) / (size_t)shares, UNO_HUGE_PAGE);
    size_t from = step * (size_t)share;
    if (from >= all)
        return true;
    char *data = array->address + from;
    size_t part = all - from < step ? all - from : step;
    populate_huge(data, part);
    return populate(data, part);
}

void uno_arrays_detach(struct uno_pe *pe, const struct uno_array *array) {
    if (array->address && !uno_job_one_process(pe->job))
        munmap(array->address, whole(array));
}

void uno_arrays_release(struct uno_pe *pe, const struct uno_array *array) {
    if (!uno_job_one_process(pe->job)) {
        if (!uno_sparse_free(pe, array->at, whole(array)))
            memset(array->address, 0, array->bytes); /* it stays, and the next array there starts as zeros
                                                        nevertheless */
        give_place(pe, array->at);
    }
    munmap(array->address, whole(array));
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
        if (arrays->array[i].address == data)
            return &arrays->array[i];
    return NULL;
}

const struct uno_array *uno_arrays_has(const struct uno_pe *pe, const void *data, size_t bytes) {
    for (size_t i = 0; pe->arrays && i < pe->arrays->count; i++) {
        const struct uno_array *array = &pe->arrays->array[i];
        uintptr_t in = (uintptr_t)data - (uintptr_t)array->address;
        if (in < whole(array) && bytes <= whole(array) - in)
            return array;
    }
    return NULL;
}

static const char *span_of(struct uno_pe *pe, struct uno_spans *spans, uint64_t at, size_t bytes) {
    uint64_t from = at / UNO_HUGE_PAGE * UNO_HUGE_PAGE, end = round_up(at + bytes, UNO_HUGE_PAGE);
    const struct uno_span *span = uno_spans_reach(pe, spans, at, bytes, from, end);
    return span ? span->address + (at - span->at) : NULL;
}

const char *uno_arrays_reach(struct uno_pe *pe, uint64_t at, size_t bytes) {
    if (uno_job_one_process(pe->job))
        return (const char *)(uintptr_t)at;
    struct uno_arrays *arrays = uno_arrays_of(pe);
    for (size_t i = 0; arrays && i < arrays->count; i++) {
        const struct uno_array *array = &arrays->array[i];
        if (at >= array->at && at - array->at < whole(array) && bytes <= whole(array) - (at - array->at))
            return array->address + (at - array->at);
    }
    return arrays ? span_of(pe, &arrays->spans, at, bytes) : NULL;
}

/* The owner of an array is the PE in whose share it lies; among PEs of one process, the first member of its
 * group. */
void uno_arrays_leave(struct uno_pe *pe, const struct uno_array *array) {
    if (!array->address)
        return;
    if (!uno_job_one_process(pe->job))
        munmap(array->address, whole(array));
    else if (array->group.rank == 0)
        uno_sparse_leave(pe->job, array->address, whole(array));
}

void uno_arrays_end(struct uno_pe *pe) {
    struct uno_arrays *arrays = pe->arrays;
    if (!arrays)
        return;
    for (size_t i = 0; i < arrays->count; i++)
        uno_arrays_leave(pe, &arrays->array[i]);
    uno_spans_drop(&arrays->spans);
    free(arrays->part.extent);
    free(arrays->array);
    free(arrays);
    pe->arrays = NULL;
}
