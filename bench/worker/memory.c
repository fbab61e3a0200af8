#define _GNU_SOURCE
#include "memory.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sides/side.h"

static void *own_memory(size_t bytes, void *before, size_t bytes_before) {
    if (before)
        munmap(before, bytes_before);
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *bench_pool(struct bench_pe *pe, int which) {
    void **pool = &pe->pool[which];
    if (!*pool)
        *pool = bench_side.pool ? bench_side.pool(pe->me, which) : own_memory(BENCH_POOL, NULL, 0);
    if (!*pool) {
        perror("bench worker: memory for messages");
        _exit(1);
    }
    return *pool;
}

void *bench_memory(const struct bench_pe *pe, bool own, size_t bytes, void *before, size_t bytes_before) {
    void *memory = own || !bench_side.blocks ? own_memory(bytes, before, bytes_before)
                                             : bench_side.blocks(pe->me, pe->n, bytes, before, bytes_before);
    if (!memory) {
        fprintf(stderr, "bench worker: no memory for %zu bytes\n", bytes);
        _exit(1);
    }
    return memory;
}
