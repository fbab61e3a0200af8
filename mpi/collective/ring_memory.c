#include "collective/ring_memory.h"

#include "collective/base.h"

enum { LINES = 256 /* of a ring: 16 KB */ };

static size_t ring_size(void) {
    return sizeof(struct uno_ring) + LINES * sizeof(struct uno_line);
}

size_t uno_ring_memory_size(int n) {
    return n <= UNO_RING_RANKS ? (size_t)n * (size_t)n * ring_size() : 0;
}

/* The ring from PE i to PE k: those to one reader are beside each other. */
static struct uno_ring *ring_of(char *rings, int n, int i, int k) {
    return (struct uno_ring *)(void *)(rings + ((size_t)k * (size_t)n + (size_t)i) * ring_size());
}

struct uno_ring_ends *uno_ring_memory_use(void *memory, int n, int me) {
    if (!uno_ring_memory_size(n))
        return NULL;
    struct uno_ring_ends *ends = uno_base_allocate((size_t)n, sizeof *ends);
    for (int k = 0; k < n; k++)
        ends[k] = (struct uno_ring_ends){
            .out = {.ring = ring_of(memory, n, me, k), .mask = LINES - 1, .limit = LINES},
            .in = {.ring = ring_of(memory, n, k, me), .mask = LINES - 1}};
    return ends;
}
