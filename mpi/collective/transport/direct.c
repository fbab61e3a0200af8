#include "collective/transport/direct.h"

#include "collective/transport/staged.h"
#include "engine/reach.h"

/* Return the place of rank r's block for this rank. data: the posts of all ranks. */
static struct uno_block find(const struct uno_comm *c, enum uno_offer offer, const void *const *data, int r) {
    struct uno_block b;
    if (offer == UNO_ANY_FOR_EACH)
        memcpy(&b, (const struct uno_block *)uno_staged_of(c, r) + c->rank, sizeof b);
    else
        memcpy(&b, data[r], sizeof b);
    if (offer == UNO_EQUAL_FOR_EACH)
        b.bytes += (size_t)c->rank * b.size;
    return b;
}

/* Tell the other ranks where this rank's blocks lie; a rank without blocks tells where it wants one. */
static const void *const *tell(const struct uno_comm *c, enum uno_op op, size_t total, enum uno_offer offer,
                               const struct uno_blocks *own, const struct uno_blocks *to) {
    if (offer != UNO_ANY_FOR_EACH) {
        struct uno_block b = own ? uno_block_of(own, 0) : to ? uno_block_of(to, 0) : (struct uno_block){0};
        return uno_slots_meet(c, op, total, &b, sizeof b);
    }
    if (own)
        memcpy(uno_staged_room(c), own->of, (size_t)c->size * sizeof *own->of);
    uno_staged_meet(c, op, total);
    return NULL;
}

/* Return true if the root copies too: of two ranks, the latter part of the one block for the other rank. */
static bool shares(const struct uno_comm *c, enum uno_offer offer, int root) {
    return offer == UNO_ONE_FOR_ALL && root >= 0 && c->size == 2;
}

/* Return the bytes of the former part: whole pages, so that only one of the two ranks has to find each
 * page. */
static size_t former(size_t bytes) {
    enum { PAGE = 4096 };
    return uno_least(bytes, (bytes / 2 + PAGE - 1) / PAGE * PAGE);
}

/* Write the root's part into the other rank's memory. */
static bool write_latter(const struct uno_comm *c, const void *const *data, const struct uno_blocks *own) {
    int r = !c->rank;
    struct uno_block mine = uno_block_of(own, 0), theirs = find(c, UNO_ONE_FOR_ALL, data, r);
    size_t bytes = uno_least(mine.size, theirs.size), from = former(bytes);
    return from == bytes || uno_reach_write(c->lane->pe, c->pe[r], (uintptr_t)theirs.bytes + from,
                                            mine.bytes + from, bytes - from);
}

/* Read the blocks for this rank; its own too, unless it is one for all other ranks. */
static bool read_all(const struct uno_comm *c, enum uno_offer offer, const void *const *data,
                     const struct uno_blocks *to, int root) {
    bool read = true;
    int skip = offer == UNO_ONE_FOR_ALL;
    struct uno_copies *copies = &c->lane->direct;
    uno_copy *copy = uno_copy_begin(copies, skip ? 0 : uno_blocks_sum(to, root < 0 ? c->size : 1));
    for (int i = skip, r = c->rank + skip; i < c->size; i++, r++) {
        r = r < c->size ? r : 0;
        if (root >= 0 && r != root)
            continue;
        struct uno_block mine = uno_block_of(to, root < 0 ? r : 0), theirs = find(c, offer, data, r);
        size_t bytes = uno_least(theirs.size, mine.size);
        if (shares(c, offer, root))
            bytes = former(bytes);
        if (r == c->rank) /* while others read: a root has nothing else to do */
            uno_block_keep_by(mine, theirs, copy);
        else
            read &=
                !bytes || uno_reach_read(c->lane->pe, c->pe[r], (uintptr_t)theirs.bytes, mine.bytes, bytes);
    }
    uno_copy_end(copies);
    return read;
}

/* Meet for the second time. Return true if every rank has read all its blocks. */
static bool everyone_has(struct uno_comm *c, enum uno_op op, size_t total, bool read) {
    const char mine = read;
    const void *const *data = uno_slots_meet(c, op, total, &mine, sizeof mine);
    bool all = true;
    for (int r = 0; r < c->size; r++)
        all &= *(const char *)data[r] != 0;
    uno_slots_end(c);
    c->plan.direct &= all;
    return all;
}

bool uno_direct(struct uno_comm *c, enum uno_op op, size_t total, enum uno_offer offer,
                const struct uno_blocks *own, const struct uno_blocks *to, int root) {
    const void *const *data = tell(c, op, total, offer, own, to);
    bool read = !to || read_all(c, offer, data, to, root);
    if (own && shares(c, offer, root))
        read = write_latter(c, data, own);
    uno_slots_end(c);
    return everyone_has(c, op, total, read);
}
