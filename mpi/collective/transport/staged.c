#include "collective/transport/staged.h"

void uno_staged_bcast(const struct uno_comm *c, enum uno_op op, char *data, size_t bytes, int root) {
    for (size_t at = 0; at < bytes; at += UNO_PIECE) {
        size_t n = uno_least(bytes - at, UNO_PIECE);
        if (c->rank == root)
            memcpy(uno_staged_room(c), data + at, n);
        uno_staged_meet(c, op, bytes);
        if (c->rank != root)
            memcpy(data + at, uno_staged_of(c, root), n);
        uno_staged_end(c);
    }
}

void uno_staged_put_each(const struct uno_comm *c, const struct uno_blocks *from, size_t share, size_t at) {
    char *room = uno_staged_room(c);
    for (int r = 0; r < c->size; r++) {
        struct uno_block b = uno_block_of(from, r);
        if (r != c->rank && at < b.size)
            memcpy(room + (size_t)r * share, b.bytes + at, uno_least(b.size - at, share));
    }
}

void uno_staged_get_own(const struct uno_comm *c, int r, struct uno_block to, size_t share, size_t at,
                        uno_copy *copy) {
    uno_staged_get_by(to, at, (const char *)uno_staged_of(c, r) + (size_t)c->rank * share, share, copy);
}

void uno_staged_gather(const struct uno_comm *c, enum uno_op op, size_t total, const struct uno_block *own,
                       const struct uno_blocks *to, size_t at, size_t most) {
    for (; at < most; at += UNO_PIECE) {
        if (own && at < own->size)
            memcpy(uno_staged_room(c), own->bytes + at, uno_least(own->size - at, UNO_PIECE));
        uno_staged_meet(c, op, total);
        for (int r = 0; to && r < c->size; r++)
            if (r != c->rank)
                uno_staged_get(uno_block_of(to, r), at, uno_staged_of(c, r), UNO_PIECE);
        uno_staged_end(c);
    }
}

void uno_staged_scatter(const struct uno_comm *c, enum uno_op op, size_t total, const struct uno_blocks *from,
                        const struct uno_blocks *to, int root, size_t share, size_t at, size_t most,
                        uno_copy *copy) {
    for (; at < most; at += share) {
        if (from)
            uno_staged_put_each(c, from, share, at);
        uno_staged_meet(c, op, total);
        for (int r = 0; to && r < c->size; r++)
            if (r != c->rank && (root < 0 || r == root))
                uno_staged_get_own(c, r, uno_block_of(to, root < 0 ? r : 0), share, at, copy);
        uno_staged_end(c);
    }
}
