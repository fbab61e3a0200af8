#include "collective/transport/unit.h"

#include <stdlib.h>
#include <string.h>

/* Meet by the unit, which learns what `function` says. */
static const void *const *meet(const struct uno_comm *c, unsigned signature, unsigned words,
                               const struct uno_function *function) {
    struct uno_pe *pe = uno_comm_pe(c);
    pe->function = function;
    const void *const *data = c->unit->meet(pe, signature, uno_slots_words, words);
    pe->function = NULL;
    return data;
}

const void *const *uno_unit_meet(const struct uno_comm *c, enum uno_op op, size_t total, const void *in,
                                 size_t have, size_t bytes, int root) {
    const struct uno_function function = {.learns = root < 0 ? UNO_LEARNS_ALL : UNO_LEARNS_ROOT,
                                          .bits = (int)bytes * 8};
    memset(uno_slots_words, 0, sizeof uno_slots_words); /* the bits that do not count are 0 */
    if (have)
        uno_slots_copy(uno_slots_words, in, have);
    if (root >= 0)
        c->lane->pe->wanted = c->pe[root];
    return uno_comm_sort(c,
                         meet(c, uno_comm_signature(c, op, total), (unsigned)((bytes + 7) / 8), &function));
}

void uno_unit_barrier(const struct uno_comm *c, unsigned signature) {
    const struct uno_function function = {.learns = UNO_LEARNS_NOTHING, .bits = 64};
    meet(c, signature, 1, &function);
    uno_unit_end(c);
}

void uno_unit_bcast(const struct uno_comm *c, enum uno_op op, char *data, size_t bytes, int root) {
    bool mine = c->rank == root;
    for (size_t at = 0; at < bytes; at += UNO_BYTES) {
        size_t n = uno_least(bytes - at, UNO_BYTES);
        const void *const *put = uno_unit_meet(c, op, bytes, data + at, mine ? n : 0, n, root);
        if (!mine)
            uno_slots_copy(data + at, put[root], n);
        uno_unit_end(c);
    }
}

void uno_unit_gather(const struct uno_comm *c, enum uno_op op, size_t total, const struct uno_block *own,
                     const struct uno_blocks *to, size_t at, size_t most) {
    for (; at < most; at += UNO_BYTES) {
        size_t n = uno_least(most - at, UNO_BYTES);
        size_t have = own && at < own->size ? uno_least(own->size - at, n) : 0;
        const void *const *put = uno_unit_meet(c, op, total, have ? own->bytes + at : NULL, have, n, -1);
        for (int r = 0; to && r < c->size; r++) {
            struct uno_block b = uno_block_of(to, r);
            if (r != c->rank && at < b.size)
                uno_slots_copy(b.bytes + at, put[r], uno_least(b.size - at, n));
        }
        uno_unit_end(c);
    }
}

/* Take what of this rank's block lies in a piece of the blocks, from byte `at` on. */
static void take(const struct uno_comm *c, const void *piece, size_t at, size_t n, char *block,
                 size_t bytes) {
    size_t first = (size_t)c->rank * bytes, from = at > first ? at : first;
    size_t end = uno_least(at + n, first + bytes);
    if (from < end)
        uno_slots_copy(block + (from - first), (const char *)piece + (from - at), end - from);
}

void uno_unit_scatter(const struct uno_comm *c, enum uno_op op, size_t total, const char *blocks, char *to,
                      size_t bytes, int root) {
    size_t all = bytes * (size_t)c->size;
    char *aside = NULL;
    if (blocks && blocks == to)
        blocks = aside = memcpy(uno_base_allocate(all, 1), to, all);
    for (size_t at = 0; at < all; at += UNO_BYTES) {
        size_t n = uno_least(all - at, UNO_BYTES);
        const void *const *put =
            uno_unit_meet(c, op, total, blocks ? blocks + at : NULL, blocks ? n : 0, n, root);
        for (int r = 0; to && r < c->size; r++)
            if (root < 0 || r == root)
                take(c, put[r], at, n, root < 0 ? to + (size_t)r * bytes : to, bytes);
        uno_unit_end(c);
    }
    free(aside);
}
