/* Small blocks from one rank to another, by rings of lines with one writer and one reader (the engine's
 * channel/ring/ring.h), for the operations in which a rank may run ahead of the others: a root that only
 * sends, a leaf of a reduction. The writer goes on at once, as long as the ring has room, and the reader
 * waits for nobody else; in a meeting (slots.h, staged.h) everybody waits for all.
 *
 *     uno_rings_begin(c);   ... uno_rings_put(c, r, ...) or uno_rings_get(c, r, ...) ...
 *
 * What a rank reads from another comes in the order in which that one wrote it. That is the order of the
 * operations which the two share, the same to both by MPI's rules. */

#ifndef UNO_RINGS_H
#define UNO_RINGS_H

#include "collective/comm.h"
#include "collective/ring_memory.h"
#include "engine/wait.h"

/* Bytes of the largest block. */
enum { UNO_RINGS_BYTES = 512 };

/* Begin an operation of this rank. */
static inline void uno_rings_begin(const struct uno_comm *c) {
    (void)uno_comm_count(c);
}

/* Return the word that a line carries, which the reader compares with its own. */
static inline uint64_t uno_rings_word(const struct uno_comm *c, enum uno_op op, size_t total) {
    return c->group.id << 16 | uno_comm_signature(c, op, total);
}

/* Wait until the ring has room; or until a line has come. */
void uno_rings_await_room(const struct uno_comm *c, int k, uint64_t word, unsigned lines);
void uno_rings_await(const struct uno_comm *c, int k, uint64_t word);

/* End the program because the line from PE k is not the one that this rank expects, unless it fits all the
 * same. whole: it has the expected number of bytes. */
void uno_rings_differ(const struct uno_comm *c, int k, uint64_t word, uint64_t theirs, bool whole)
    __attribute__((cold));

/* Send bytes to rank r. total: as for uno_slots_meet. */
static inline void uno_rings_put(const struct uno_comm *c, int r, enum uno_op op, size_t total,
                                 const void *data, size_t bytes) {
    int k = c->pe[r];
    struct uno_outlet *out = &c->lane->ring[k].out;
    uint64_t word = uno_rings_word(c, op, total);
    for (const char *from = (const char *)data;; from += UNO_RING_BYTES, bytes -= UNO_RING_BYTES) {
        size_t n = bytes < UNO_RING_BYTES ? bytes : UNO_RING_BYTES;
        if (UNO_UNLIKELY(!uno_ring_room(out, uno_ring_lines(n))))
            uno_rings_await_room(c, k, word, uno_ring_lines(n));
        uno_atomic64 *header = &out->ring->line[out->next & out->mask].header;
        uno_ring_put(out, 0, word, from, n);
        uno_wait_wake(c->lane->pe->board, header);
        if (bytes == n)
            return;
    }
}

/* Receive bytes from rank r. */
static inline void uno_rings_get(const struct uno_comm *c, int r, enum uno_op op, size_t total, void *data,
                                 size_t bytes) {
    int k = c->pe[r];
    struct uno_inlet *in = &c->lane->ring[k].in;
    uint64_t word = uno_rings_word(c, op, total);
    for (char *to = (char *)data;; to += UNO_RING_BYTES, bytes -= UNO_RING_BYTES) {
        size_t n = bytes < UNO_RING_BYTES ? bytes : UNO_RING_BYTES;
        uno_ring_await(in, c->lane->pe->polls);
        uint64_t header = uno_ring_look(in);
        if (UNO_UNLIKELY(!header)) {
            uno_rings_await(c, k, word);
            header = uno_ring_look(in);
        }
        if (UNO_UNLIKELY(uno_ring_word(in) != word || uno_line_bytes(header) != n))
            uno_rings_differ(c, k, word, uno_ring_word(in), uno_line_bytes(header) == n);
        uno_ring_get(in, to, n);
        uno_ring_take(in, uno_ring_lines(n));
        /* A writer that sleeps has found the ring full: wake it for a quarter of the ring. */
        if (UNO_UNLIKELY((in->next ^ (in->next - uno_ring_lines(n))) & (in->mask + 1) / 4))
            uno_wait_wake(c->lane->pe->board, &in->ring->taken);
        if (bytes == n)
            return;
    }
}

#endif
