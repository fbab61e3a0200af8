#define _GNU_SOURCE
#include "sparse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

bool uno_sparse_few(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* ---- PEs of one process ------------------------------------------------------------------------------ */

static void *map_zeros(size_t size) {
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, size, MADV_DONTDUMP);
    return memory;
}

void *uno_sparse_private(uno_atomic64 *where, size_t size) {
    /* SYNC SPARSE: the zeros there */
    void *memory = (void *)(uintptr_t)uno_load64_acquire(where);
    if (memory)
        return memory;
    memory = map_zeros(size);
    /* SYNC SPARSE: the zeros there */
    if (!memory || uno_cas64_acq_rel(where, 0, (uint64_t)(uintptr_t)memory))
        return memory;
    munmap(memory, size);
    return (void *)(uintptr_t)uno_load64_acquire(where); /* SYNC SPARSE: the zeros there */
}

/* Give back the parts of memory, mapped with a huge page to spare, before the first huge page's boundary and
 * after `size` bytes from there. */
static char *trim(char *room, size_t size) {
    size_t before = -(uintptr_t)room % UNO_HUGE_PAGE;
    if (before)
        munmap(room, before);
    munmap(room + before + size, UNO_HUGE_PAGE - before);
    return room + before;
}

char *uno_sparse_own(size_t size) {
    if (size < UNO_HUGE_PAGE)
        return map_zeros(size);
    char *room = map_zeros(size + UNO_HUGE_PAGE);
    return room ? trim(room, size) : NULL;
}

/* Memory that a PE of one process has left. It is mapped by itself: the job alone names it, which no leak
 * checker looks into. */
struct left {
    struct left *next;
    char *memory;
    size_t size;
};

void uno_sparse_leave(struct uno_job *job, char *memory, size_t size) {
    struct left *left = map_zeros(sizeof *left);
    if (!left)
        return; /* it stays until the process ends */
    *left = (struct left){.memory = memory, .size = size};
    uint64_t first;
    do {
        first = uno_load64_relaxed(&job->left);
        left->next = (struct left *)(uintptr_t)first;
        /* SYNC PARTED: what is left. All PEs have ended when it is given back, so that their threads' ends
         * would do. */
    } while (!uno_cas64_acq_rel(&job->left, first, (uint64_t)(uintptr_t)left));
}

void uno_sparse_end(struct uno_job *job) {
    /* SYNC PARTED: what is left */
    struct left *left = (struct left *)(uintptr_t)uno_load64_acquire(&job->left);
    while (left) {
        struct left *next = left->next;
        munmap(left->memory, left->size);
        munmap(left, sizeof *left);
        left = next;
    }
}

/* ---- PEs that are processes -------------------------------------------------------------------------- */

static char *map_there(int file, char *there, uint64_t at, size_t size) {
    char *memory =
        mmap(there, size, PROT_READ | PROT_WRITE, MAP_SHARED | (there ? MAP_FIXED : 0), file, (off_t)at);
    return memory == MAP_FAILED ? NULL : memory;
}

static char *reserve(size_t size) {
    char *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room == MAP_FAILED ? NULL : room;
}

static char *map_open(int file, uint64_t at, size_t size) {
    if (size < UNO_HUGE_PAGE || at % UNO_HUGE_PAGE)
        return map_there(file, NULL, at, size);
    char *room = reserve(size + UNO_HUGE_PAGE);
    if (!room)
        return NULL;
    char *there = trim(room, size), *memory = map_there(file, there, at, size);
    if (!memory)
        munmap(there, size);
    return memory;
}

/* Map the memory a second time. Without a descriptor that is only possible from the start of a mapping, which
 * takes addresses for everything before `at`, for a moment. */
static char *map_again(struct uno_job *job, uint64_t at, size_t size) {
    char *room = reserve(at + size + UNO_HUGE_PAGE);
    if (!room)
        return NULL;
    char *there = trim(room, at + size);
    char *memory = mremap(job, 0, at + size, MREMAP_MAYMOVE | MREMAP_FIXED, there);
    munmap(there, memory == MAP_FAILED ? at + size : at);
    return memory == MAP_FAILED ? NULL : memory + at;
}

char *uno_sparse_map(const struct uno_pe *pe, uint64_t at, size_t size) {
    bool opened;
    int file = uno_handed_open(&pe->memory, &opened);
    char *memory = file >= 0 ? map_open(file, at, size) : map_again(pe->job, at, size);
    int error = errno;
    if (opened)
        close(file);
    if (memory)
        madvise(memory, size, MADV_DONTDUMP);
    errno = error;
    return memory;
}

bool uno_sparse_free(const struct uno_pe *pe, uint64_t at, size_t size) {
    bool opened;
    int file = uno_handed_open(&pe->memory, &opened);
    /* madvise with MADV_REMOVE does the same without a descriptor; but qemu's user mode says that it did, and
     * does nothing */
    bool freed =
        file >= 0 && !fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)size);
    if (opened)
        close(file);
    return freed;
}

/* ---- spans ------------------------------------------------------------------------------------------- */

static bool has(const struct uno_span *span, uint64_t at, size_t bytes) {
    return at >= span->at && at - span->at <= span->bytes && bytes <= span->bytes - (at - span->at);
}

static struct uno_span make(const struct uno_pe *pe, uint64_t from, uint64_t end) {
    return (struct uno_span){uno_sparse_map(pe, from, end - from), from, end - from};
}

/* The new one takes the place of those of which it has everything. */
static const struct uno_span *add(struct uno_spans *spans, const struct uno_span *new) {
    size_t kept = 0;
    for (size_t i = 0; i < spans->count; i++)
        if (has(new, spans->span[i].at, spans->span[i].bytes))
            munmap(spans->span[i].address, spans->span[i].bytes);
        else
            spans->span[kept++] = spans->span[i];
    spans->count = kept;
    if (kept == spans->room) {
        size_t room = kept ? 2 * kept : 4;
        struct uno_span *grown = realloc(spans->span, room * sizeof *grown);
        if (!grown) {
            munmap(new->address, new->bytes);
            return NULL;
        }
        spans->span = grown;
        spans->room = room;
    }
    spans->span[kept] = *new;
    return &spans->span[spans->count++];
}

const struct uno_span *uno_spans_reach(const struct uno_pe *pe, struct uno_spans *spans, uint64_t at,
                                       size_t bytes, uint64_t from, uint64_t end) {
    for (size_t i = 0; i < spans->count; i++)
        if (has(&spans->span[i], at, bytes))
            return &spans->span[i];
    struct uno_span new = make(pe, from, end);
    if (!new.address && spans->count) {
        uno_spans_drop(spans);
        new = make(pe, from, end);
    }
    if (!new.address)
        new = make(pe, at / UNO_MAP_STEP * UNO_MAP_STEP,
                   (at + bytes + UNO_MAP_STEP - 1) / UNO_MAP_STEP * UNO_MAP_STEP);
    return new.address ? add(spans, &new) : NULL;
}

void uno_spans_drop(struct uno_spans *spans) {
    for (size_t i = 0; i < spans->count; i++)
        munmap(spans->span[i].address, spans->span[i].bytes);
    free(spans->span);
    *spans = (struct uno_spans){0};
}
