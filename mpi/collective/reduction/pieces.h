/* The elements of a reduction on their way: as they lie in memory, where a kernel combines them, or packed;
 * and in pieces, where they are many. */

#ifndef UNO_PIECES_H
#define UNO_PIECES_H

#include "collective/comm.h"
#include "collective/reduction/reduction.h"
#include "collective/transport/ring.h"
#include "collective/transport/staged.h"
#include "collective/transport/plan.h"

struct uno_pieces {
    struct uno_comm *c;
    enum uno_op op;
    const struct uno_reduction *how;
    size_t total;                 /* bytes, as they are counted for the plan */
    const char *in;               /* elements as they travel */
    char *out;                    /* the result as it leaves; NULL: this rank gets none */
    void *packed_in, *packed_out; /* copies, of a type that is not packed in memory; NULL: none */
    void *program_out;            /* where the program wants what is in packed_out */
    bool keeps;                   /* nobody else reads this rank's elements: they stay where they are */
};

/* The path of an operation in which each rank puts `count` elements; bytes: as the plan counts them. */
static inline enum uno_path uno_pieces_plan(const struct uno_comm *c, enum uno_op op, size_t bytes,
                                            size_t count, const struct uno_reduction *how) {
    enum uno_path path = uno_plan(c, op, bytes, count * how->bytes, UNO_ONE_BLOCK);
    bool large = path == UNO_BY_STAGED || path == UNO_BY_DIRECT;
    return UNO_UNLIKELY(large && how->bytes > UNO_PIECE) ? UNO_BY_HOST : path;
}

/* Whether they go in one post, from where they lie to where the result goes. */
static inline bool uno_pieces_are_post(enum uno_path path, const struct uno_reduction *how) {
    return path == UNO_BY_SLOTS && how->kernel && how->bytes == how->layout->size;
}

/* Begin in copies: what uno_pieces_open leaves. */
void uno_pieces_pack(struct uno_pieces *p, const void *in, size_t count, void *out, size_t results);
void uno_pieces_unpack(struct uno_pieces *p, size_t results);

/* Begin: `count` elements of this rank's, and room for `results`, or for none where that is 0. Elements that
 * a kernel combines travel as they lie in memory; others packed. */
static inline void uno_pieces_open(struct uno_pieces *p, const void *in, size_t count, void *out,
                                   size_t results) {
    p->in = in;
    p->out = results ? out : NULL;
    if (UNO_UNLIKELY(!p->how->kernel && !p->how->layout->plain))
        uno_pieces_pack(p, in, count, out, results);
}

/* End: the program gets so many results. */
static inline void uno_pieces_close(struct uno_pieces *p, size_t results) {
    if (UNO_UNLIKELY(p->packed_in))
        uno_pieces_unpack(p, results);
}

/* Bytes of `count` elements as they travel: of the last one, only its data. */
static inline size_t uno_pieces_size(const struct uno_reduction *how, size_t count) {
    return count * how->bytes - (how->kernel ? (size_t)(how->layout->extent - how->layout->true_extent) : 0);
}

/* The elements of a piece. */
static inline size_t uno_pieces_step(const struct uno_pieces *p) {
    return UNO_PIECE / p->how->bytes;
}

/* A meeting: put elements [from, from + count) of this rank's, at most a piece. Returns those of all ranks,
 * valid until uno_slots_end. */
static inline const void *const *uno_pieces_meet(struct uno_pieces *p, size_t from, size_t count) {
    const char *in = p->in + from * p->how->bytes;
    size_t size = uno_pieces_size(p->how, count);
    if (count * p->how->bytes <= UNO_BYTES)
        return uno_slots_meet(p->c, p->op, p->total, in, size);
    if (!p->keeps)
        memcpy(uno_staged_room(p->c), in, size);
    uno_staged_meet(p->c, p->op, p->total);
    const void *const *data = uno_staged_of_all(p->c);
    if (p->keeps)
        p->c->data[p->c->rank] = in;
    return data;
}

/* Whether an element is so small that uno_pieces_read can be called: the same on all ranks. */
static inline bool uno_pieces_may_read(const struct uno_pieces *p) {
    return p->how->bytes <= UNO_PIECE / (size_t)p->c->size;
}

/* The one rank with room for a result reads the others' elements straight from their memory, as in direct.h,
 * and combines them. Of two ranks the other one does a part of much, and writes it to its place. Returns how
 * many of the `count` elements are done; if not all, some rank could not read or write, and all know it. */
size_t uno_pieces_read(struct uno_pieces *p, size_t count);

/* One result, in the ranks with room for it, which is then in p->out. Where that pays each rank
 * combines a part of the elements for all. */
void uno_pieces_reduce(struct uno_pieces *p, size_t count);

/* Elements of one rank by a ring, wherever they may be put. */
struct uno_pieces_small {
    _Alignas(16) char bytes[UNO_RINGS_BYTES];
};

#endif
