#define _GNU_SOURCE
#include "sparse.h"

#include <sys/mman.h>

void *uno_sparse_private(uno_atomic64 *where, size_t size) {
    /* SYNC SPARSE: the zeros there */
    void *memory = (void *)(uintptr_t)uno_load64_acquire(where);
    if (memory)
        return memory;
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, size, MADV_DONTDUMP);
    /* SYNC SPARSE: the zeros there */
    if (uno_cas64_acq_rel(where, 0, (uint64_t)(uintptr_t)memory))
        return memory;
    munmap(memory, size);
    return (void *)(uintptr_t)uno_load64_acquire(where); /* SYNC SPARSE: the zeros there */
}

void *uno_sparse_shared(struct uno_job *job, uint64_t at, size_t size) {
    /* Room with a huge page to spare, of which what is before the first place for one, and after, goes back.
     */
    char *room =
        mmap(NULL, at + size + UNO_HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t)room % UNO_HUGE_PAGE;
    char *memory = mremap(job, 0, at + size, MREMAP_MAYMOVE | MREMAP_FIXED, room + before);
    if (memory == MAP_FAILED) {
        munmap(room, at + size + UNO_HUGE_PAGE);
        return NULL;
    }
    munmap(room, before + at);
    munmap(memory + at + size, UNO_HUGE_PAGE - before);
    madvise(memory + at, size, MADV_DONTDUMP);
    return memory + at;
}
